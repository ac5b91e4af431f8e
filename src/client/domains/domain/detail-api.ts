import type { Change, ChangePage, DomainDetail, Observation } from "../../../shared/contract.ts";
import { callApi } from "../../session/session-store.ts";
import { parseList, parseRecord, textOrNull } from "../../../shared/parse-json.ts";
import { parseDomain } from "../domains-api.ts";

/** Reads one name, by its A-label form or its id. @throws {HttpError} 404 where it is not there. */
export function readDetail(name: string, signal: AbortSignal): Promise<DomainDetail> {
  return callApi(`/api/domains/${encodeURIComponent(name)}`, { signal, parse: parseDetail });
}

/** Changes of a domain, newest first. @param after The `next` of the page before. @throws {HttpError} */
export function listChanges(id: string, after: string | null): Promise<ChangePage> {
  const query = { limit: 20, after: after ?? undefined };
  return callApi(`/api/domains/${encodeURIComponent(id)}/history`, { query, parse: parsePage });
}

function parseDetail(json: unknown): DomainDetail {
  const { observations, createdAt, updatedAt } = parseRecord(json);
  return {
    ...parseDomain(json),
    observations: parseList(observations, parseObservation),
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
  };
}

function parseObservation(json: unknown): Observation {
  const { source, date, observedAt } = parseRecord(json);
  return { source: String(source), date: textOrNull(date), observedAt: String(observedAt) };
}

function parsePage(json: unknown): ChangePage {
  const { items, next } = parseRecord(json);
  return { items: parseList(items, parseChange), next: textOrNull(next) };
}

function parseChange(json: unknown): Change {
  const { id, at, by, action, fields, import: source } = parseRecord(json);
  return {
    ...(typeof source === "string" && { import: source }),
    id: String(id),
    at: String(at),
    by: String(by),
    action: action === "added" || action === "deleted" ? action : "edited",
    fields: parseList(fields ?? [], (field) => {
      const { field: name, before, after } = parseRecord(field);
      return { field: String(name), before, after };
    }),
  };
}
