import type { BulkRequest, BulkResult, Facet, Facets } from "../../shared/register-contract.ts";
import { callApi } from "../session/session-store.ts";
import { parseList, parseRecord } from "../../shared/parse-json.ts";

/** What the register holds, for choosing from. @throws {HttpError} */
export function readFacets(): Promise<Facets> {
  return callApi("/api/facets", { parse: parseFacets });
}

/**
 * Changes many names, all or none. @throws {HttpError} 409 when another number matches by now.
 */
export function changeMany(body: BulkRequest): Promise<BulkResult> {
  // 20,000 names in one transaction may take longer than a single one.
  return callApi("/api/domains/bulk", {
    method: "POST",
    body,
    timeout: 60_000,
    parse: parseResult,
  });
}

/** Asks whether a file could be downloaded now, without its content. @throws {HttpError} */
export function checkExport(path: string): Promise<unknown> {
  return callApi(path, { method: "HEAD" });
}

function parseFacets(json: unknown): Facets {
  const facets = parseRecord(json);
  const list = (name: keyof Facets) => parseList(facets[name] ?? [], parseFacet);
  return {
    registrars: list("registrars"),
    accounts: list("accounts"),
    owners: list("owners"),
    tags: list("tags"),
    tlds: list("tlds"),
  };
}

function parseFacet(json: unknown): Facet {
  const { value, names } = parseRecord(json);
  return { value: String(value), names: Number(names) };
}

function parseResult(json: unknown): BulkResult {
  const { matched, changed } = parseRecord(json);
  return { matched: Number(matched), changed: Number(changed) };
}
