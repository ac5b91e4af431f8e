/**
 * Columns of `domains` by the field that they are of, as its history calls it: an update of a column
 * is one of every index that has it, even where the value stays what it was.
 */
const COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ["registrar", ["registrar_key"]],
  ["account", ["account", "account_key"]],
  ["owner", ["owner", "owner_key"]],
  ["decision", ["decision"]],
  ["autoRenew", ["auto_renew"]],
  ["expires", ["expires_on", "expires_source", "expires_observed_at", "expires_conflict"]],
  ["renewal", ["renewal_minor", "renewal_currency", "renewal_years"]],
  ["notes", ["notes"]],
]);

/**
 * The columns of some fields; null stands for every field. Tags have none. An `observation` may
 * leave the expiry as it is to see, and still say who said it last.
 */
export function fieldColumns(fields: ReadonlySet<string> | null): string[] {
  return [...COLUMNS].flatMap(([field, columns]) => {
    const told = fields?.has(field) ?? true;
    return told || (field === "expires" && fields?.has("observation")) ? columns : [];
  });
}
