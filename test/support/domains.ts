import { expect } from "bun:test";
import type { Domain } from "../../src/shared/domain.ts";
import type { ApiClient } from "./api-client.ts";

/** A domain with every field filled in. */
export const FULL_DOMAIN = {
  name: "bücher.example",
  registrar: "GoDaddy",
  account: "main",
  owner: "Ada",
  tags: ["Client", "shop"],
  decision: "keep",
  autoRenew: false,
  expires: "2028-02-29",
  renewal: { minor: 101_899, currency: "USD", years: 2 },
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

/** Sends PATCH with `If-Match`. */
export function patchDomain(
  client: ApiClient,
  id: string,
  json: object,
  etag: string,
): Promise<Response> {
  const headers = { "If-Match": etag };
  return client.request(`/api/domains/${id}`, { method: "PATCH", json, headers });
}
