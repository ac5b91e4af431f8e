import type { Summary } from "../../shared/register.ts";

/** The list of domains for a filter, of the summary's person if it has one. */
export function listLink({ person }: Pick<Summary, "person">, filter: object = {}): string {
  const query = new URLSearchParams({ ...filter, ...(person && { person }) });
  return query.size === 0 ? "/domains" : `/domains?${query}`;
}
