import { badFields } from "../../http/request-error.ts";
import { type FieldProblem, expected } from "../../../shared/parse.ts";
import { IMPORT_FIELD_NAMES, isImportField, type ImportField } from "../../../shared/fields.ts";
import type { ColumnMeaning } from "../../../shared/import.ts";
import { isReservedName, LIMITS } from "../../../shared/text.ts";
import { CLEAR_SHARE, LIKELY_SHARE, type CellKind, type ColumnSurvey } from "./column-survey.ts";
import { foldHeader, isMarketHeader } from "./headers.ts";

/** Meanings that several columns may have: `NS1` and `NS2`, and any number of custom fields. */
const REPEATABLE: ReadonlySet<unknown> = new Set<ImportField>(["nameservers", "custom"]);

/**
 * Checks a mapping that a client sends: a field or `ignore` for each column, one `name`, no other field
 * twice but the repeatable ones, no column that is never read. @throws {RequestError} 400
 */
export function parseMapping(
  json: unknown,
  columns: readonly { header: string | null; secret: boolean }[],
): ColumnMeaning[] {
  const entries: unknown[] = Array.isArray(json) ? json : [];
  if (entries.length !== columns.length) {
    const detail = expected(`a list of ${columns.length} fields, one for each column`, json);
    throw badFields([{ pointer: "/mapping", code: "type", detail }]);
  }
  const problems: FieldProblem[] = [];
  const mapping = columns.map(({ header, secret }, index): ColumnMeaning => {
    const field = entries[index];
    const refuse = (code: string, detail: string) =>
      problems.push({ pointer: `/mapping/${index}`, code, detail });
    if (field === "ignore") return field;
    if (typeof field !== "string" || !isImportField(field)) {
      refuse("choice", `Expected ignore or one of ${IMPORT_FIELD_NAMES.join(", ")}`);
      return "ignore";
    }
    if (secret) {
      refuse("secret", "Expected ignore: columns of secrets and contact data are never read");
    } else if (!REPEATABLE.has(field) && entries.indexOf(field) < index) {
      refuse("repeated", "Another column already has this field");
    } else if (field === "custom" && header !== null && isReservedName(header)) {
      const detail = `Every domain has ${header}: rename the column to make a custom field of it`;
      refuse("reserved", detail);
    }
    return field;
  });
  const customFields = mapping.filter((field) => field === "custom").length;
  if (problems.length === 0 && customFields > LIMITS.customFields) {
    const detail = `Choose at most ${LIMITS.customFields} columns as custom fields`;
    problems.push({ pointer: "/mapping", code: "length", detail });
  }
  if (problems.length === 0 && !mapping.includes("name")) {
    const detail = "Choose the column that holds the domain names";
    problems.push({ pointer: "/mapping", code: "required", detail });
  }
  if (problems.length > 0) throw badFields(problems);
  return mapping;
}

/** A wrong column for one of these would be a wrong decision or bill; of others the first is taken. */
const ASKED_FIELDS = ["name", "registrar", "expires", "autoRenew", "renewalPrice"] as const;

/** Proposes what each column means, from headers and values, and lists what stays open. */
export function proposeMapping(columns: readonly ColumnSurvey[]) {
  const meanings = new Map<ColumnSurvey, ColumnMeaning>();
  /** Columns that may be a field: only a person can tell. None of them is mapped. */
  const open: { field: (typeof ASKED_FIELDS)[number]; columns: number[] }[] = [];
  for (const field of IMPORT_FIELD_NAMES) {
    const found = candidates(columns, field).filter((column) => !meanings.has(column));
    const asked = ASKED_FIELDS.find((each) => each === field);
    const [first] = found;
    if (first === undefined) continue;
    const isOneOf = found.length > 1 && field !== "registrar";
    if (asked && (isOneOf || !isCertain(columns, first, field))) {
      open.push({ field: asked, columns: found.map((column) => columns.indexOf(column)) });
    } else {
      for (const column of REPEATABLE.has(field) ? found : [first]) meanings.set(column, field);
    }
  }
  return { mapping: columns.map((column) => meanings.get(column) ?? "ignore"), open };
}

function candidates(columns: readonly ColumnSurvey[], field: ImportField): ColumnSurvey[] {
  const meant = columns.filter((column) => meantBy(column) === field);
  const clear = meant.filter((column) => confidenceOf(column) === "high");
  const agreeing = meant.filter((column) => agrees(column, field));
  const byHeader = distinguish(clear.length > 0 ? clear : agreeing, field);
  if (field === "name" && !byHeader.some((column) => agrees(column, field))) {
    const byValues = nameColumns(columns);
    return byValues.length > 0 ? byValues : byHeader;
  }
  if (byHeader.length > 0) return byHeader;
  if (field === "expires") return dateColumns(columns);
  const mayBe = BY_VALUES[field];
  return mayBe ? columns.filter(mayBe) : [];
}

const BY_VALUES: { [F in ImportField]?: (column: ColumnSurvey) => boolean } = {
  registrar: (column) =>
    (column.meaning?.kind ?? "unused") === "unused" && column.share("registrar") >= LIKELY_SHARE,
  currency: (column) => isUnexplained(column, "currency"),
  // Numbers are more often counts than a choice.
  autoRenew: (column) => isUnexplained(column, "flag") && column.share("number") < LIKELY_SHARE,
};

/** How certain the header is that a column is a field; null: it names none. */
function confidenceOf({ meaning }: ColumnSurvey) {
  return meaning?.kind === "field" ? meaning.confidence : null;
}

/** What a header means by its cells: "Renewal" a choice or a day, "Term" days, "Registered at" registrars. */
function meantBy(column: ColumnSurvey): ImportField | null {
  if (column.meaning?.kind !== "field") return null;
  const { field, confidence } = column.meaning;
  const isChoice = column.share("flag") >= CLEAR_SHARE && column.share("number") < LIKELY_SHARE;
  if (field === "expires" && confidence === "low" && isChoice) return "autoRenew";
  if (field === "years" && column.share("date") >= CLEAR_SHARE) return "expires";
  if (VALUES[field] === "date" && column.share("registrar") >= LIKELY_SHARE) return "registrar";
  return field;
}

/** Leaves the best of several: not blank, of the right kind, and the same values once. */
function distinguish(found: readonly ColumnSurvey[], field: ImportField): ColumnSurvey[] {
  const agreeing = found.filter((column) => agrees(column, field));
  const filled = agreeing.filter((column) => column.filled > 0);
  const best = [filled, agreeing, found].find((each) => each.length > 0) ?? [];
  const seen = new Set<string>();
  return best.filter(({ contents }) => {
    const isNew = contents === "" || !seen.has(contents);
    seen.add(contents);
    return isNew;
  });
}

/** Whether the values can be the field's; those of an empty column can be anything. */
export function agrees(column: ColumnSurvey | undefined, field: ImportField): boolean {
  if (column === undefined || column.isSecret) return false;
  const { filled, samples } = column;
  if (filled === 0) return true;
  if (field === "years") return samples.every((sample) => /^\d{1,3}\b/.test(sample));
  if (field === "currency") return samples.every((sample) => sample.length <= 5);
  const kind = VALUES[field];
  return kind === undefined || column.share(kind) >= LIKELY_SHARE;
}

const VALUES: { readonly [F in ImportField]?: CellKind } = {
  name: "name",
  expires: "date",
  registeredOn: "date",
  purchasedOn: "date",
  soldOn: "date",
  archivedOn: "date",
  autoRenew: "flag",
  renewalPrice: "money",
  purchasePrice: "money",
  askingPrice: "money",
  soldPrice: "money",
};

/** Without a header for it: columns of names, those with the most different ones. */
function nameColumns(columns: readonly ColumnSurvey[]): ColumnSurvey[] {
  const names = columns.filter((column) => {
    const kind = column.meaning?.kind ?? "field";
    return (kind === "field" || kind === "spelling") && column.share("name") >= CLEAR_SHARE;
  });
  const most = Math.max(...names.map(({ distinct }) => distinct.size));
  const best = names.filter(({ distinct }) => distinct.size >= most * CLEAR_SHARE);
  return distinguish(best, "name");
}

/** Without a header for it: columns of dates with an unknown header, future ones if there are any. */
function dateColumns(columns: readonly ColumnSurvey[]): ColumnSurvey[] {
  const dates = columns.filter((column) => isUnexplained(column, "date"));
  const future = dates.filter((column) => column.isFuture);
  return distinguish(future.length > 0 ? future : dates, "expires");
}

function isUnexplained(column: ColumnSurvey, kind: CellKind): boolean {
  return column.meaning === null && column.share(kind) >= CLEAR_SHARE;
}

/** Whether to map without asking. A bare “Price” among words of a market may be the asking price. */
function isCertain(
  columns: readonly ColumnSurvey[],
  column: ColumnSurvey,
  field: ImportField,
): boolean {
  const confidence = confidenceOf(column);
  const isNamed = confidence !== null;
  if (field === "expires") return isNamed || (column.header === null && column.isFuture);
  if (field === "registrar" || field === "autoRenew") return isNamed;
  if (field !== "renewalPrice" || confidence !== "low") return true;
  return !columns.some(({ header }) => header !== null && isMarketHeader(foldHeader(header)));
}
