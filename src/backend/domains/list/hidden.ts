import type { Change } from "../../../shared/changes.ts";
import { type Domain, UNKNOWN_VALUES } from "../../../shared/domain.ts";
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

/** What some changes may show: those of hidden fields alone are left out. */
export function withoutHiddenChanges<C extends Pick<Change, "fields">>(
  changes: readonly C[],
  sight: Sight,
): C[] {
  return changes.flatMap((change) => {
    const fields = change.fields.filter(({ field }) => isShown(field, sight));
    return fields.length === 0 && change.fields.length > 0 ? [] : { ...change, fields };
  });
}
