import type { Database } from "../../src/backend/database/database.ts";
import { readFields } from "../../src/backend/domains/list/read-domains.ts";
import { writeDomains, type NewReport } from "../../src/backend/domains/write/write-domains.ts";
import { expect } from "bun:test";
import { type Domain, parseDomainPage } from "../../src/shared/domain.ts";
import type { ApiClient } from "./api-client.ts";

export const FULL_DOMAIN = {
  name: "bücher.example",
  registrar: "GoDaddy",
  account: "main",
  owner: "Ada",
  tags: ["Client", "shop"],
  decision: "keep" as const,
  autoRenew: false,
  expires: "2028-02-29",
  renewal: { minor: 101_899, currency: "USD", years: 2 },
  registeredOn: "2014-01-26",
  status: "Active",
  locked: true,
  privacy: false,
  nameservers: ["ns1.hoster.example", "ns2.hoster.example"],
  purchasePrice: { minor: 250_000, currency: "EUR" },
  purchasedOn: "2019-05-02",
  askingPrice: { minor: 1_200_000, currency: null },
  soldPrice: { minor: 990_000, currency: "JPY" },
  soldOn: "2026-10-31",
  custom: { Client: "Müller & Söhne", "Cost centre": "4711\n4712" },
  notes: "line one\nline two",
};

/** Adds a domain, which must succeed, and returns it as it is read. */
export async function addDomain(client: ApiClient, json: object): Promise<Domain> {
  const response = await client.request("/api/domains", { method: "POST", json });
  expect(response.status).toBe(201);
  const { operation, ...domain } = await response.json();
  expect(operation).toBeString();
  return domain;
}

/** Adds a domain of each name, with the same values, and returns their ids. */
export async function addDomains(client: ApiClient, names: readonly string[], values: object = {}) {
  const ids: string[] = [];
  for (const name of names) ids.push((await addDomain(client, { name, ...values })).id);
  return ids;
}

export function patchDomain(
  client: ApiClient,
  id: string,
  json: object,
  etag: string,
): Promise<Response> {
  const headers = { "If-Match": etag };
  return client.request(`/api/domains/${id}`, { method: "PATCH", json, headers });
}

export function deleteDomain(client: ApiClient, id: string): Promise<Response> {
  const headers = { "If-Match": "*" };
  return client.request(`/api/domains/${id}`, { method: "DELETE", headers });
}

export function changeMany(client: ApiClient, select: object, op: object): Promise<Response> {
  return client.request("/api/domains/bulk", { method: "POST", json: { select, op } });
}

/** Undoes what was done to domains, or does it again where it is the undo that is undone. */
export function undoOperation(client: ApiClient, operation: unknown): Promise<Response> {
  return client.request(`/api/operations/${String(operation)}/undo`, { method: "POST" });
}

/** Lets sources report the expiry of a domain at times of their own, as a check does. */
export function reportExpiry(
  database: Database,
  id: string,
  reports: readonly NewReport[],
): Promise<unknown> {
  return database.write(async (sql) => {
    const [before] = await readFields(sql, "id", [id]);
    if (before === undefined) throw new Error("There is no such domain");
    const edit = { before, after: before, reports: { come: reports } };
    return writeDomains(sql, [edit], { by: null, at: new Date().toISOString() });
  });
}

/** The names on a page of the list, in its order. */
export async function listNames(client: ApiClient, query = ""): Promise<string[]> {
  const { items } = parseDomainPage(await client.json(`/api/domains?${query}`));
  return items.map(({ name }) => name);
}

/** Expects that a request is refused for one member alone, and that the answer points to it. */
export async function expectRefused(answer: Promise<Response>, pointer: string): Promise<void> {
  const response = await answer;
  const problem = await response.json();
  expect([response.status, problem]).toMatchObject([400, { errors: [{ pointer }] }]);
}
