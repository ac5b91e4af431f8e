/** The place in the whole list, from 0, of the row that an element is in; null where it is in none. */
export function rowOf(element: Element | null): number | null {
  const row = element?.closest("tbody > tr[aria-rowindex]");
  return row ? Number(row.getAttribute("aria-rowindex")) - 2 : null;
}
