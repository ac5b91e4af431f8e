import type { Migration } from "./migration.ts";

/** Columns of the fields that came later, in the register and in the rows of a preview. */
const COLUMNS = [
  "registered_on text",
  "status text",
  "locked smallint check (locked in (0, 1))",
  "privacy smallint check (privacy in (0, 1))",
  "nameservers text",
  "purchase_minor bigint check (purchase_minor >= 0)",
  "purchase_currency text",
  "purchased_on text",
  "asking_minor bigint check (asking_minor >= 0)",
  "asking_currency text",
  "sold_minor bigint check (sold_minor >= 0)",
  "sold_currency text",
  "sold_on text",
  "custom text",
];

/**
 * What a registrar reports beside the expiry, what a domain was bought, is offered and was sold for,
 * and custom fields. `nameservers` are separated by blanks, `custom` is a JSON object of texts. No
 * index: nothing is filtered or sorted by them.
 */
export const moreFields: Migration = {
  version: 10,
  name: "more fields",
  statements: ["domains", "import_rows"].flatMap((table) =>
    COLUMNS.map((column) => `alter table ${table} add column ${column}`),
  ),
};
