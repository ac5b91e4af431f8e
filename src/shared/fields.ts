/**
 * The one table of what the register knows of a domain. Inserts, parsing, forms, sorting, history,
 * import and export follow from it, for labels also filters, search and suggestions.
 * `src/backend/README.md` says what else a new field needs.
 */

/**
 * How a field is stored, parsed and shown; `domain.ts` says what each kind holds, and a table of kinds on
 * each side (`field-kinds`) what it means there:
 * - `name`: the domain name itself, with its Unicode form and its last label;
 * - `label`: a short text that the list can be filtered by; it is compared by its folded form, which
 *   stands in the column `…_key`;
 * - `status`: a registrar's own word, and in the column `…_key` which of `REGISTRAR_STATUSES` it means;
 * - `person`: a person with an account, by id; the name is read from there;
 * - `tags`: labels in a table of their own;
 * - `choice`: one of a few words;  `flag`: true, false or unknown;
 * - `expiry`: a day, derived from what every source reports;  `day`: any other day;
 * - `price`: an amount of a currency for a number of years;  `money`: an amount of a currency;
 * - `hosts`: names of servers, in one text with blanks between them;
 * - `notes`: text of several lines;
 * - `handled`: who knows of the expiry already, in a table of its own;
 * - `custom`: texts under names that the owner of the register chose, as a JSON object.
 */
export type FieldKind =
  | "name"
  | "label"
  | "status"
  | "person"
  | "tags"
  | "choice"
  | "flag"
  | "expiry"
  | "day"
  | "price"
  | "money"
  | "hosts"
  | "notes"
  | "handled"
  | "custom";

interface FieldSpec {
  kind: FieldKind;
  /** What a heading or a form calls it; inside a sentence with a small first letter. */
  label: string;
  /** The column that the list sorts by, if it can. */
  sortedBy?: string;
  /** A limited viewer sees it of no domain, and finds none by it. */
  isHidden?: true;
  /** What a file's column may mean: the parts of a field in order, with labels; else the field. */
  importAs?: Readonly<Record<string, string>>;
}

export const FIELDS = {
  name: {
    kind: "name",
    label: "Domain",
    sortedBy: "sort_name",
    importAs: { name: "Domain name" },
  },
  registrar: { kind: "label", label: "Registrar", sortedBy: "registrar_key" },
  account: { kind: "label", label: "Account", sortedBy: "account_key", isHidden: true },
  owner: { kind: "label", label: "Owner", sortedBy: "owner_key" },
  /** Whose work it is, beside the owner, which is any text. */
  person: { kind: "person", label: "Person" },
  expires: { kind: "expiry", label: "Expiry date", sortedBy: "expires_earliest" },
  autoRenew: { kind: "flag", label: "Auto-renew", sortedBy: "auto_renew" },
  renewal: {
    kind: "price",
    label: "Renewal price",
    importAs: {
      renewalPrice: "Renewal price",
      currency: "Currency",
      years: "Renewal period (years)",
    },
  },
  tags: { kind: "tags", label: "Tags" },
  decision: { kind: "choice", label: "Decision", sortedBy: "decision" },
  registeredOn: { kind: "day", label: "Registered on" },
  status: { kind: "status", label: "Registrar status" },
  locked: { kind: "flag", label: "Transfer lock" },
  privacy: { kind: "flag", label: "Privacy" },
  nameservers: { kind: "hosts", label: "Name servers" },
  purchasePrice: {
    kind: "money",
    label: "Purchase price",
    isHidden: true,
    importAs: { purchasePrice: "Purchase price", purchaseCurrency: "Purchase currency" },
  },
  purchasedOn: { kind: "day", label: "Purchased on" },
  askingPrice: {
    kind: "money",
    label: "Asking price",
    importAs: { askingPrice: "Asking price", askingCurrency: "Asking currency" },
  },
  soldPrice: {
    kind: "money",
    label: "Sold price",
    importAs: { soldPrice: "Sold price", soldCurrency: "Sold currency" },
  },
  soldOn: { kind: "day", label: "Sold on" },
  /** Since then it is in no list, total or reminder unless asked for: see the filter `archived`. */
  archivedOn: { kind: "day", label: "Archived on" },
  /** The due day for which its to-do was marked done: one that has moved since is a to-do again. */
  doneFor: { kind: "day", label: "Done for", importAs: {} },
  /** Acknowledged or snoozed, for the expiry that it is about only. */
  handled: { kind: "handled", label: "Reminders", importAs: {} },
  notes: { kind: "notes", label: "Notes", isHidden: true },
  custom: { kind: "custom", label: "Custom fields", importAs: { custom: "Custom field" } },
} as const satisfies Readonly<Record<string, FieldSpec>>;

export type Field = keyof typeof FIELDS;

/** The fields of one kind: `FieldOf<"label">` is registrar, account or owner. */
export type FieldOf<K extends FieldKind> = {
  [F in Field]: (typeof FIELDS)[F]["kind"] extends K ? F : never;
}[Field];

export type KindOf<F extends Field> = (typeof FIELDS)[F]["kind"];

/** A table of kinds as one of fields: each has the entry of its kind. */
export function kindsByField<T extends Readonly<Record<FieldKind, unknown>>>(
  kinds: T,
): { readonly [F in Field]: T[KindOf<F>] } {
  const entries = FIELD_NAMES.map((field) => [field, kinds[FIELDS[field].kind]]);
  return Object.fromEntries(entries) as { [F in Field]: T[KindOf<F>] }; // Made of all fields.
}

export const FIELD_NAMES: readonly Field[] = Object.keys(FIELDS).filter(isField);

/** Whether a limited viewer does not see a field, or a column of that name. */
export function isHidden(field: string): boolean {
  return isField(field) && "isHidden" in FIELDS[field];
}

/** Columns of our export that no import takes a value from: they follow those of their field. */
export const UNREAD_HEADERS: { readonly [F in Field]?: string } = {
  name: "Unicode",
  expires: "Expiry source",
};

export function isField(text: string): text is Field {
  return Object.hasOwn(FIELDS, text);
}

export function fieldsOf<const K extends FieldKind>(...kinds: readonly K[]): FieldOf<K>[] {
  return FIELD_NAMES.filter((field): field is FieldOf<K> =>
    kinds.some((kind) => kind === FIELDS[field].kind),
  );
}

export type LabelField = FieldOf<"label">;

export const LABEL_FIELDS: readonly LabelField[] = fieldsOf("label");

export function isLabelField(field: string): field is LabelField {
  return isField(field) && FIELDS[field].kind === "label";
}

/** The member of `GET /api/facets` with the values of a label that are in use: its plural. */
export function facetOf(field: LabelField) {
  return `${field}s` as const;
}

/** An object with what `make` gives for each key. */
export function recordOf<K extends string, T>(
  keys: readonly K[],
  make: (key: K) => T,
): Readonly<Record<K, T>> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, T>; // Made of all keys.
}

/** What a field is called inside a sentence; an unknown one by its own name. */
export function fieldInWords(field: string): string {
  // In a change: a report that left the expiry as it was.
  if (field === "observation") return "reported date";
  if (!isField(field)) return field;
  const { label } = FIELDS[field];
  return label.charAt(0).toLowerCase() + label.slice(1);
}

export type ImportField = {
  [F in Field]: (typeof FIELDS)[F] extends { importAs: infer M } ? keyof M : F;
}[Field];

function meaningsOf(field: Field): Readonly<Record<string, string>> {
  const { importAs, label }: FieldSpec = FIELDS[field];
  return importAs ?? { [field]: label };
}

/** The label of each meaning, in the order in which they are offered. */
export const IMPORT_LABELS = Object.assign({}, ...FIELD_NAMES.map(meaningsOf)) as Readonly<
  Record<ImportField, string>
>; // Made of all entries.

/** The headers of our own export where they are not the labels. */
const HEADERS: { readonly [F in ImportField]?: string } = {
  name: "Name",
  expires: "Expires",
  currency: "Renewal currency",
  years: "Renewal years",
  status: "Status",
  nameservers: "Nameservers",
};

export function headerOf(field: ImportField): string {
  return HEADERS[field] ?? IMPORT_LABELS[field];
}

export function isImportField(text: string): text is ImportField {
  return Object.hasOwn(IMPORT_LABELS, text);
}

export const IMPORT_FIELD_NAMES: readonly ImportField[] =
  Object.keys(IMPORT_LABELS).filter(isImportField);

/** What columns can hold of a field, in the order of the table: of a price, its amount comes first. */
export function importFieldsOf(field: Field): ImportField[] {
  return Object.keys(meaningsOf(field)).filter(isImportField);
}
