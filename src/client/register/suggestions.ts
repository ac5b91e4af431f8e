import { type Facets, parseFacets } from "../../shared/register.ts";
import { parseSettings, type Settings } from "../../shared/settings.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { callApi } from "../session/session-store.ts";

/** What any area may need to know of the whole register. */

/** Reads what holds for the whole register. @throws {HttpError} */
export function readSettings(signal: AbortSignal): Promise<Settings> {
  return callApi("/api/settings", { signal, parse: parseSettings });
}

/** Reads the values in use. @throws {HttpError} */
export function readFacets(signal: AbortSignal): Promise<Facets> {
  return callApi("/api/facets", { signal, parse: parseFacets });
}

/**
 * What a form can suggest: the values in use, and the currency that a new price is in, "" where there
 * is none. Without them everything can still be typed, so a failure is ignored.
 */
export function useSuggestions(): { facets: Facets | undefined; currency: string } {
  const { value } = useLoaded(readSuggestions);
  return value ?? { facets: undefined, currency: "" };
}

async function readSuggestions(signal: AbortSignal) {
  const [facets, settings] = await Promise.all([readFacets(signal), readSettings(signal)]);
  const used = facets.currencies.find(({ value }) => value !== "-")?.value;
  return { facets, currency: settings.currency ?? used ?? "" };
}
