import {
  DEFAULT_SORT,
  formatView,
  parseSort,
  type View,
  withoutLapsed,
} from "../../../shared/view.ts";
import { urlOf } from "../../base-path.ts";
import { listPath } from "../../screens.ts";
import { localToday } from "../../ui/format.ts";

/** What follows the path of a list or a domain: empty for the usual view. */
export function queryOf(view: View): string {
  return addressOf(view).replace("/domains", "");
}

export function addressOf(view: View): string {
  return listPath(formatView(view));
}

/** Where a view is downloaded as CSV. */
export function exportUrl(view: View): string {
  return urlOf(`/api/domains.csv?${formatView(withoutLapsed(view))}&today=${localToday()}`);
}

export function sorted(view: View, field: string, descending: boolean): View {
  return { ...view, sort: parseSort(descending ? `-${field}` : field) ?? DEFAULT_SORT };
}
