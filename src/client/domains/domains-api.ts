import type { Domain, DomainInput, DomainPage, Expiry } from "../../shared/contract.ts";
import { decisions, parseRenewal } from "../../shared/domain-json.ts";
import { callApi } from "../session/session-store.ts";
import { parseList, parseRecord, textOrNull } from "../../shared/parse-json.ts";

const DOMAINS = "/api/domains";

/**
 * One page of names. @param query As `GET /api/domains` takes it. @throws {HttpError}
 */
export function listDomains(query: string, signal: AbortSignal): Promise<DomainPage> {
  return callApi(`${DOMAINS}?${query}`, { signal, parse: parsePage });
}

/** Adds a name. @throws {HttpError} 409 for a name that is there already, 422 for bad fields. */
export function addDomain(body: DomainInput): Promise<Domain> {
  return callApi(DOMAINS, { method: "POST", body, parse: parseDomain });
}

/** Edits the version that `domain` is. @throws {HttpError} 412 when there is a newer one. */
export function editDomain(domain: Domain, body: DomainInput): Promise<Domain> {
  return callApi(pathOf(domain), {
    method: "PATCH",
    body,
    headers: ifMatch(domain),
    parse: parseDomain,
  });
}

/** Deletes the version that `domain` is. @throws {HttpError} 412 when there is a newer one. */
export function deleteDomain(domain: Domain): Promise<unknown> {
  return callApi(pathOf(domain), { method: "DELETE", headers: ifMatch(domain) });
}

/** Reads a domain as the API writes it. @throws {TypeError} for anything else. */
export function parseDomain(json: unknown): Domain {
  const domain = parseRecord(json);
  const { id, version, name, unicode, decision, autoRenew, expires, renewal } = domain;
  if (typeof name !== "string") throw new TypeError("Expected a domain with a name.");
  return {
    id: String(id),
    version: Number(version),
    name,
    unicode: textOrNull(unicode) ?? name,
    registrar: textOrNull(domain.registrar),
    account: textOrNull(domain.account),
    owner: textOrNull(domain.owner),
    tags: parseList(domain.tags ?? [], String),
    decision: decisions.find((known) => known === decision) ?? null,
    autoRenew: typeof autoRenew === "boolean" ? autoRenew : null,
    expires: expires ? parseExpiry(expires) : null,
    renewal: renewal ? parseRenewal(renewal) : null,
    notes: textOrNull(domain.notes) ?? "",
  };
}

function parsePage(json: unknown): DomainPage {
  const { items, next, total } = parseRecord(json);
  return {
    items: parseList(items, parseDomain),
    next: textOrNull(next),
    total: Number(total),
  };
}

function parseExpiry(json: unknown): Expiry {
  const { date, source, observedAt, conflict } = parseRecord(json);
  return {
    date: String(date),
    source: String(source),
    observedAt: String(observedAt),
    conflict: conflict === true,
  };
}

function pathOf({ id }: Domain): string {
  return `${DOMAINS}/${encodeURIComponent(id)}`;
}

function ifMatch({ version }: Domain): HeadersInit {
  return { "If-Match": `"${version}"` };
}
