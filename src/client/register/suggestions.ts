import { parsePeopleNames, type NamedPerson } from "../../shared/domain.ts";
import { type Facets, parseFacets } from "../../shared/facets.ts";
import { parseSettings } from "../../shared/settings.ts";
import { localToday } from "../ui/format.ts";
import { type Loadable, useResource } from "./resource.tsx";

export const useSettings = () => useResource("/api/settings", parseSettings);

export const useFacets = () => useResource(`/api/facets?today=${localToday()}`, parseFacets);

/** Everyone with an account; empty until that is known, and where it is not asked for. */
export function usePeople(isAsked = true): readonly NamedPerson[] {
  return useResource(isAsked ? "/api/people/names" : null, parsePeopleNames).value?.items ?? [];
}

export function toOption({ id, name }: NamedPerson): readonly [value: string, label: string] {
  return [id, name];
}

/**
 * What a form suggests: the values in use, known registrars without a domain, and the currency of a new
 * price, if known. Without them everything can still be typed, so a failure is ignored.
 */
export function useSuggestions(): { facets: Facets | undefined; currency: string } {
  const { value: facets } = useFacets();
  const { value: settings } = useSettings();
  const used = facets?.currencies.find(({ value }) => value !== "-")?.value;
  return {
    facets: facets && { ...facets, registrars: [...facets.registrars, ...facets.known] },
    currency: settings?.currency ?? used ?? "",
  };
}

export function combine<A, B>(one: Loadable<A>, other: Loadable<B>): Loadable<readonly [A, B]> {
  const [a, b] = [one.value, other.value];
  return {
    value: a !== undefined && b !== undefined ? [a, b] : undefined,
    error: one.error ?? other.error,
    reload: () => [one, other].forEach(({ reload }) => reload()),
  };
}
