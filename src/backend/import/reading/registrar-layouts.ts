import { headerOf, IMPORT_FIELD_NAMES, UNREAD_HEADERS } from "../../../shared/fields.ts";
import { DATE_ORDERS, parseColumnMeaning, type ColumnMeaning } from "../../../shared/import.ts";
import * as p from "../../../shared/parse.ts";
import { foldLabel } from "../../../shared/text.ts";
import { KNOWN_REGISTRARS } from "../../domains/known-registrars.ts";
import registrarLayouts from "../data/registrar-layouts.json" with { type: "json" };

/** `all`: these headers and others. `exactly`: no others, because these are common headers. */
const parseSignature = p.exactObject({
  all: p.optional(p.list(p.text)),
  exactly: p.optional(p.list(p.text)),
});

/** One known export. Headers are spelled as in the file, in lower case. */
export type RegistrarLayout = p.Parsed<typeof parseLayout>;

const parseLayout = p.exactObject({
  id: p.text,
  note: p.optional(p.text),
  label: p.text,
  /** Where a domain is registered unless its row says; null: only the file can say. */
  registrar: p.nullable(p.text),
  /** The file has this layout where any of these matches its headers. */
  signatures: p.list(parseSignature),
  /** What is read. Of repeated headers the first is meant. */
  columns: p.record(parseColumnMeaning),
  /** The order in which this registrar writes dates with slashes, unless a date shows another. */
  dateOrder: p.optional(p.oneOf(DATE_ORDERS)),
  /** What a bare `$` means to this registrar. */
  dollar: p.optional(p.text),
  /** Written as our own export writes; every other column is a custom field. */
  own: p.optional(p.boolean),
});

const table = p.exactObject({ layouts: p.list(parseLayout) })(registrarLayouts);

/** Every layout that is recognised by its headers; the first is our own export, see `exportCsv`. */
export const LAYOUTS: readonly RegistrarLayout[] = [
  {
    id: "freehold",
    label: "Freehold",
    registrar: null,
    signatures: [
      { all: ["name", "unicode", "expires", "expiry source", "auto-renew", "renewal currency"] },
    ],
    columns: ownColumns(),
    own: true,
  },
  ...table.layouts,
];

/** The layout that a header row belongs to, or null: then the mapping is proposed. */
export function findLayout(header: readonly string[]): RegistrarLayout | null {
  const found = header.map(plainHeader).filter((each) => each !== "");
  return LAYOUTS.find(({ signatures }) => signatures.some((each) => fits(found, each))) ?? null;
}

/** Shorter names would be found in words by chance. */
const MIN_GUESS_LENGTH = 3;

/** The registrar with the longest name that the name of a file mentions, or null. */
export function guessRegistrar(fileName: string, known: readonly string[]): string | null {
  const plain = (label: string) => foldLabel(label).replace(/[^\p{L}\p{N}]+/gu, "");
  const name = plain(fileName.replace(/\.[^.]*$/, ""));
  const mentioned = [...known, ...KNOWN_REGISTRARS].filter((each) => {
    const label = plain(each);
    return label.length >= MIN_GUESS_LENGTH && name.includes(label);
  });
  return mentioned.toSorted((one, other) => plain(other).length - plain(one).length)[0] ?? null;
}

function ownColumns(): RegistrarLayout["columns"] {
  const read = IMPORT_FIELD_NAMES.filter((meaning) => meaning !== "custom");
  return {
    ...Object.fromEntries(
      Object.values(UNREAD_HEADERS).map((each) => [plainHeader(each), "ignore"] as const),
    ),
    ...Object.fromEntries(read.map((each) => [plainHeader(headerOf(each)), each])),
  };
}

export function mapLayout(layout: RegistrarLayout, header: readonly string[]): ColumnMeaning[] {
  const columns = new Map(Object.entries(layout.columns));
  return header.map((each) => {
    const plain = plainHeader(each);
    const other = layout.own && plain !== "" ? "custom" : "ignore";
    const field = columns.get(plain) ?? other;
    columns.delete(plain);
    return field;
  });
}

function plainHeader(header: string): string {
  return header.trim().toLowerCase();
}

function fits(
  found: readonly string[],
  { all, exactly = [] }: p.Parsed<typeof parseSignature>,
): boolean {
  if (all) return all.every((each) => found.includes(each));
  return found.length === exactly.length && exactly.every((each) => found.includes(each));
}
