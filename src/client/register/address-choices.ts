import { useState } from "react";
import { useLocation, useSearch } from "wouter";

type Texts<C> = Readonly<Record<keyof C, string>>;

/** One spelling of what follows the `?`, however it came. */
const spell = (search: string) => String(new URLSearchParams(search));

/** Choices as the parameters of a query, without empty ones. */
export function toQuery(choices: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(choices).filter(([, text]) => text !== ""));
}

/**
 * The choices of a screen, which live in its address, so that a link shows the same.
 *
 * @param read What an address chooses; what is invalid in it counts as not chosen.
 * @param format Their query, if not each is a parameter.
 * @returns `choices`: of the address that is shown. `boxes`: what the controls show, which is ahead of
 *   that while the screen is on its way. `choose`: replaces the address.
 */
export function useAddressChoices<C extends Readonly<Record<string, string>>>(
  read: (address: URLSearchParams) => C,
  format: (choices: Texts<C>) => URLSearchParams = toQuery,
) {
  const [path, navigate] = useLocation();
  const search = spell(useSearch());
  const choices = read(new URLSearchParams(search));
  const shown: { search: string; boxes: Texts<C> } = { search, boxes: choices };
  const [chosen, setChosen] = useState(shown);
  // Addresses on the way to the chosen one leave the boxes alone; Back and links do not.
  if (chosen.search !== search && search === spell(location.search)) setChosen(shown);

  function choose(change: Partial<Texts<C>>) {
    // The address is ahead of this render.
    const boxes = { ...read(new URLSearchParams(location.search)), ...change };
    const next = String(format(boxes));
    setChosen({ search: next, boxes });
    navigate(next ? `${path}?${next}` : path, { replace: true });
  }

  return { choices, boxes: chosen.boxes, choose };
}
