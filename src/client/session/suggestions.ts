import type { Facets } from "../../shared/register.ts";
import { parseSettings } from "../../shared/settings.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { readFacets } from "./facets.ts";
import { callApi } from "./session-store.ts";

/** What a form can suggest: the values in use, and the currency that a new price is in. */
interface Suggestions {
  facets: Facets | undefined;
  /** That of the settings, else the one used most; "" where there is none. */
  currency: string;
}

/** Loads suggestions. Without them everything can still be typed, so a failure is ignored. */
export function useSuggestions(): Suggestions {
  const { value } = useLoaded(readSuggestions);
  return value ?? { facets: undefined, currency: "" };
}

async function readSuggestions(signal: AbortSignal): Promise<Suggestions> {
  const [facets, settings] = await Promise.all([
    readFacets(signal),
    callApi("/api/settings", { signal, parse: parseSettings }),
  ]);
  const used = facets.currencies.find(({ value }) => value !== "-")?.value;
  return { facets, currency: settings.currency ?? used ?? "" };
}
