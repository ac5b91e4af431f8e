/** Which names a bulk change applies to: some, or every one that matches, seen or not. */
export type Selection = { all: true } | { all: false; ids: ReadonlySet<string> };

export const NOTHING: Selection = { all: false, ids: new Set() };

/** How many names are selected out of `total` that match. */
export function countSelected(selection: Selection, total: number): number {
  return selection.all ? total : selection.ids.size;
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection.all || selection.ids.has(id);
}

/**
 * Selects names, or no longer. Where every one that matches is selected there is no single one to
 * take out, for the server has no such wish: the selection stays.
 */
export function select(selection: Selection, ids: readonly string[], on: boolean): Selection {
  if (selection.all) return selection;
  const set = new Set(ids);
  return { all: false, ids: on ? selection.ids.union(set) : selection.ids.difference(set) };
}
