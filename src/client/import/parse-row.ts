import type { ImportRow, ImportValues } from "../../shared/import-contract.ts";
import { parseList, parseRecord, textOrNull } from "../../shared/parse-json.ts";
import { decisions, parseRenewal } from "../../shared/domain-json.ts";
import { rowClasses } from "./import-words.ts";
import { parseField } from "./parse-import.ts";

/** Reads a row of the preview as the API writes it. @throws {TypeError} for anything else. */
export function parseRow(json: unknown): ImportRow {
  const row = parseRecord(json);
  return {
    id: String(row.id),
    class: rowClasses.find((known) => known === row.class) ?? "invalid",
    line: numberOrNull(row.line),
    name: textOrNull(row.name),
    unicode: textOrNull(row.unicode),
    values: parseValues(row.values ?? {}),
    changes: parseList(row.changes, (item) => {
      const { field, before, after } = parseRecord(item);
      return { field: String(field), before, after };
    }),
    problems: parseList(row.problems, (item) => {
      const { field, code, detail } = parseRecord(item);
      const known = parseField(field);
      return {
        field: known === "ignore" ? null : known,
        code: String(code),
        detail: String(detail),
      };
    }),
    repeats: numberOrNull(row.repeats),
  };
}

function parseValues(json: unknown): ImportValues {
  const { autoRenew, renewal, tags, decision, ...texts } = parseRecord(json);
  const values: ImportValues = {};
  for (const name of ["expires", "registrar", "account", "owner", "notes"] as const) {
    const said = textOrNull(texts[name]);
    if (said !== null) values[name] = said;
  }
  const decided = decisions.find((known) => known === decision);
  return {
    ...values,
    ...(typeof autoRenew === "boolean" && { autoRenew }),
    ...(renewal ? { renewal: parseRenewal(renewal) } : {}),
    ...(Array.isArray(tags) && { tags: tags.map(String) }),
    ...(decided && { decision: decided }),
  };
}

function numberOrNull(json: unknown): number | null {
  return typeof json === "number" ? json : null;
}
