import { parsePeopleNames, type NamedPerson } from "../../shared/domain.ts";
import { type Facets, parseFacets } from "../../shared/register.ts";
import { parseSettings } from "../../shared/settings.ts";
import { useResource } from "./resource.tsx";

/** What holds for the whole register. */
export const useSettings = () => useResource("/api/settings", parseSettings);

/** The values in use. */
export const useFacets = () => useResource("/api/facets", parseFacets);

/** Everybody with an account; nobody until that is known. */
export function usePeople(): readonly NamedPerson[] {
  return useResource("/api/people/names", parsePeopleNames).value?.items ?? [];
}

/** A person as an option of a form. */
export function toOption({ id, name }: NamedPerson): readonly [value: string, label: string] {
  return [id, name];
}

/**
 * What a form can suggest: the values in use, and the currency that a new price is in, "" where there
 * is none. Without them everything can still be typed, so a failure is ignored.
 */
export function useSuggestions(): { facets: Facets | undefined; currency: string } {
  const { value: facets } = useFacets();
  const { value: settings } = useSettings();
  const used = facets?.currencies.find(({ value }) => value !== "-")?.value;
  return { facets, currency: settings?.currency ?? used ?? "" };
}
