import { type DomainInput, parseSavedDomain, type SavedDomain } from "../../shared/domain.ts";
import type { Filter } from "../../shared/filter.ts";
import {
  type BulkOperation,
  type BulkRequest,
  type BulkSelection,
  parseBulkResult,
} from "../../shared/register.ts";
import { callApi } from "../session/session-store.ts";
import { localToday } from "../ui/format.ts";

export const DOMAINS_PATH = "/api/domains";

/** In the list’s address beside its view: whether a domain is added, and the one in the panel. */
export const [ADD_PARAMETER, PANEL_PARAMETER] = ["add", "open"] as const;

/** 200,000 domains take a minute or more on a busy machine. */
const BULK_TIMEOUT_MS = 240_000;

/** The address of `limit` rows of a view from `offset` on. */
export function listUrl(parameters: string, limit: number, offset: number): string {
  const query = new URLSearchParams(parameters);
  query.set("limit", String(limit));
  query.set("today", localToday());
  if (offset > 0) query.set("offset", String(offset));
  return `${DOMAINS_PATH}?${query}`;
}

/** Adds a domain. @throws {HttpError} 409 for a name that exists already, 422 for bad fields. */
export function addDomain(body: DomainInput): Promise<SavedDomain> {
  return callApi(DOMAINS_PATH, { method: "POST", body, parse: parseSavedDomain });
}

/** Larger bulk changes ask for the number of domains. */
export const MAX_UNTYPED = 50;

/** The domains of a bulk change, as they were when its dialog opened. */
export interface BulkTarget {
  filter: Filter;
  /** Null: every match, loaded or not. */
  ids: readonly string[] | null;
  count: number;
}

export function toBulkSelection({ filter, ids, count }: BulkTarget): BulkSelection {
  return ids
    ? { ids, expectedCount: count }
    : { filter, today: localToday(), expectedCount: count };
}

/** Changes many domains or none, or foretells that. @throws {HttpError} 409: another number matches. */
export function changeDomains(target: BulkTarget, op: BulkOperation, path = "bulk") {
  const body: BulkRequest = { select: toBulkSelection(target), op };
  const options = { method: "POST", body, timeout: BULK_TIMEOUT_MS, parse: parseBulkResult };
  return callApi(`${DOMAINS_PATH}/${path}`, options);
}
