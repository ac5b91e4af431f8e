import type { SQL } from "bun";
import type { Change } from "../../../shared/changes.ts";
import { type Domain, UNKNOWN_VALUES } from "../../../shared/domain.ts";
import type { Fragment } from "../../database/database.ts";
import { RequestError } from "../../http/request-error.ts";
import { EVERYTHING, type Sight } from "../../http/route.ts";

/** Fields that a limited viewer sees of no domain, and the price list of a statement. */
const HIDDEN = new Set(["account", "purchasePrice", "notes", "prices"]);

export function isShown(field: string, sight: Sight): boolean {
  return sight === EVERYTHING || !HIDDEN.has(field);
}

/** @throws {RequestError} 403 where these fields are named by those who do not see them. */
export function refuseHidden(fields: readonly string[], sight: Sight): void {
  if (fields.every((field) => isShown(field, sight))) return;
  throw new RequestError(
    403,
    "Accounts, purchase prices, price lists and notes are not yours to see.",
  );
}

export function withoutHidden(domain: Domain, sight: Sight): Domain {
  const { account, purchasePrice, notes } = UNKNOWN_VALUES;
  return sight === EVERYTHING ? domain : { ...domain, account, purchasePrice, notes };
}

/** "And", of the table `changes`: not only hidden fields were changed. */
export function inShown(sql: SQL, sight: Sight): Fragment {
  if (sight === EVERYTHING) return sql``;
  const shown = [...HIDDEN].reduce(
    (fields, field) => sql`replace(${fields}, ${`"field":"${field}"`}, '')`,
    sql`fields`,
  );
  return sql`and (fields = '[]' or ${shown} like '%"field":%')`;
}

export function withoutHiddenFields<C extends Pick<Change, "fields">>(change: C, sight: Sight): C {
  return { ...change, fields: change.fields.filter(({ field }) => isShown(field, sight)) };
}
