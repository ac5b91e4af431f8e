import { type Facets, parseFacets } from "../../shared/register.ts";
import { callApi } from "./session-store.ts";

/** Reads the values in use, as suggestions. @throws {HttpError} */
export function readFacets(signal?: AbortSignal): Promise<Facets> {
  return callApi("/api/facets", { signal, parse: parseFacets });
}
