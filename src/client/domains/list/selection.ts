/** What a bulk change applies to: the listed domains, or every match, loaded or not. */
export type Selection = { all: true } | { all: false; ids: ReadonlySet<string> };

export const EMPTY_SELECTION: Selection = { all: false, ids: new Set() };

/** How many domains are selected out of `total` matches. */
export function countSelected(selection: Selection, total: number): number {
  return selection.all ? total : selection.ids.size;
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection.all || selection.ids.has(id);
}

/**
 * Selects or deselects domains. A selection of every match stays as it is, because the API has no
 * way to leave single domains out.
 */
export function select(selection: Selection, ids: readonly string[], on: boolean): Selection {
  if (selection.all) return selection;
  const set = new Set(ids);
  return { all: false, ids: on ? selection.ids.union(set) : selection.ids.difference(set) };
}
