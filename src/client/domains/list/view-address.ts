import {
  DEFAULT_SORT,
  formatView,
  parseSort,
  type View,
  withoutLapsed,
} from "../../../shared/view.ts";
import { urlOf } from "../../base-path.ts";
import { localToday } from "../../ui/format.ts";

/** What follows the path of a list, or of a domain in it; empty for the usual view. */
export function queryOf(view: View): string {
  const query = String(formatView(view));
  return query && `?${query}`;
}

export const addressOf = (view: View) => `/domains${queryOf(view)}`;

export function exportUrl(view: View): string {
  return urlOf(`/api/domains.csv?${formatView(withoutLapsed(view))}&today=${localToday()}`);
}

export function sorted(view: View, field: string, descending: boolean): View {
  return { ...view, sort: parseSort(descending ? `-${field}` : field) ?? DEFAULT_SORT };
}
