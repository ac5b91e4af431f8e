import { badFields } from "../../http/request-error.ts";
import { type FieldProblem, expected } from "../../../shared/parse.ts";
import { IMPORT_FIELD_NAMES, isImportField, type ImportField } from "../../../shared/fields.ts";
import type { ColumnMeaning } from "../../../shared/import.ts";
import { isReservedName, LIMITS } from "../../../shared/text.ts";
import type { CellKind, ColumnSurvey } from "./column-survey.ts";
import { foldHeader, type HeaderMeaning, isMarketHeader } from "./headers.ts";

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

/** Columns that may be a field: only a person can tell. None of them is mapped. */
interface OpenField {
  field: (typeof ASKED_FIELDS)[number];
  columns: number[];
}

const HALF = 0.5;
const MOST = 0.8;

/** A wrong column for one of these would be a wrong decision or bill; of others the first is taken. */
const ASKED_FIELDS = ["name", "registrar", "expires", "autoRenew", "renewalPrice"] as const;

/** Proposes what each column means, from headers and values, and lists what stays open. */
export function proposeMapping(columns: readonly ColumnSurvey[]): {
  mapping: ColumnMeaning[];
  open: OpenField[];
} {
  const mapping: ColumnMeaning[] = columns.map(() => "ignore");
  const open: OpenField[] = [];
  for (const field of IMPORT_FIELD_NAMES) {
    const found = candidates(columns, field).filter((index) => mapping[index] === "ignore");
    const asked = ASKED_FIELDS.find((each) => each === field);
    const [first] = found;
    if (first === undefined) continue;
    const isOneOf = found.length > 1 && field !== "registrar";
    if (asked && (isOneOf || !isCertain(columns, first, field))) {
      open.push({ field: asked, columns: found });
    } else {
      for (const index of REPEATABLE.has(field) ? found : [first]) mapping[index] = field;
    }
  }
  return { mapping, open };
}

function candidates(columns: readonly ColumnSurvey[], field: ImportField): number[] {
  const high: number[] = [];
  const low: number[] = [];
  for (const [index, column] of columns.entries()) {
    const { meaning } = column;
    if (meaning?.kind !== "field" || meantBy(column, meaning) !== field) continue;
    if (meaning.confidence === "high") high.push(index);
    else if (agrees(column, field)) low.push(index);
  }
  const byHeader = distinguish(columns, high.length > 0 ? high : low, field);
  if (field === "name" && !byHeader.some((index) => agrees(columns[index], field))) {
    const byValues = nameColumns(columns);
    return byValues.length > 0 ? byValues : byHeader;
  }
  return byHeader.length > 0 ? byHeader : (BY_VALUES[field]?.(columns) ?? []);
}

const BY_VALUES: {
  [F in ImportField]?: (columns: readonly ColumnSurvey[]) => number[];
} = {
  expires: dateColumns,
  registrar: (columns) =>
    columns.flatMap((column, index) => {
      const isUnexplained = (column.meaning?.kind ?? "unused") === "unused";
      return isUnexplained && column.share("registrar") >= HALF ? [index] : [];
    }),
  currency: (columns) => unexplained(columns, "currency"),
  autoRenew: (columns) =>
    // Numbers are more often counts than a choice.
    unexplained(columns, "flag").filter((index) => (columns[index]?.share("number") ?? 1) < HALF),
};

/** What a header means by its cells: "Renewal" a choice or a day, "Term" days, "Registered at" registrars. */
function meantBy(
  column: ColumnSurvey,
  { field, confidence }: HeaderMeaning & { kind: "field" },
): ImportField {
  const isChoice = column.share("flag") >= MOST && column.share("number") < HALF;
  if (field === "expires" && confidence === "low" && isChoice) return "autoRenew";
  if (field === "years" && column.share("date") >= MOST) return "expires";
  if (VALUES[field] === "date" && column.share("registrar") >= HALF) return "registrar";
  return field;
}

/** Leaves the best of several: not blank, of the right kind, and the same values once. */
function distinguish(
  columns: readonly ColumnSurvey[],
  found: number[],
  field: ImportField,
): number[] {
  if (found.length < 2) return found;
  const agreeing = found.filter((index) => agrees(columns[index], field));
  const filled = agreeing.filter((index) => (columns[index]?.filled ?? 0) > 0);
  const best = [filled, agreeing, found].find((each) => each.length > 0) ?? [];
  const seen = new Set<string>();
  return best.filter((index) => {
    const contents = columns[index]?.contents ?? "";
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
  return kind === undefined || column.share(kind) >= HALF;
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
function nameColumns(columns: readonly ColumnSurvey[]): number[] {
  const names = columns.flatMap((column, index) => {
    const { meaning } = column;
    const mayBe = meaning === null || meaning.kind === "field" || meaning.kind === "spelling";
    return mayBe && column.share("name") >= MOST ? [{ index, distinct: column.distinct }] : [];
  });
  const most = Math.max(...names.map(({ distinct }) => distinct));
  const best = names.filter(({ distinct }) => distinct >= most * MOST);
  const found = best.map(({ index }) => index);
  return distinguish(columns, found, "name");
}

/** Without a header for it: columns of dates with an unknown header, future ones if there are any. */
function dateColumns(columns: readonly ColumnSurvey[]): number[] {
  const dates = unexplained(columns, "date");
  const future = dates.filter((index) => columns[index]?.isFuture);
  return distinguish(columns, future.length > 0 ? future : dates, "expires");
}

function unexplained(columns: readonly ColumnSurvey[], kind: CellKind): number[] {
  return columns.flatMap((column, index) =>
    column.meaning === null && column.share(kind) >= MOST ? [index] : [],
  );
}

/** Whether to map without asking. A bare “Price” among words of a market may be the asking price. */
function isCertain(columns: readonly ColumnSurvey[], index: number, field: ImportField): boolean {
  const column = columns[index];
  const isNamed = column?.meaning?.kind === "field";
  if (field === "expires") {
    return isNamed || (column?.header === null && column.isFuture);
  }
  if (field === "registrar" || field === "autoRenew") return isNamed;
  const isBarePrice =
    field === "renewalPrice" &&
    column?.meaning?.kind === "field" &&
    column.meaning.confidence === "low";
  return (
    !isBarePrice ||
    !columns.some(({ header }) => header !== null && isMarketHeader(foldHeader(header)))
  );
}
