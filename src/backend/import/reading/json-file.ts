import { MAX_RECORD_LENGTH } from "./csv.ts";
import { ImportError } from "./import-error.ts";
import { MAX_COLUMNS, tooManyColumns } from "./table-format.ts";
import { createYielder } from "../../event-loop.ts";

/** Brackets within each other. */
const MAX_DEPTH = 32;
/** What precedes a list: itself, or objects around it, as in `{"data": {"domains": [`. */
const LIST = /^\{*\[$/;

const DAMAGED = "This JSON file is damaged or cut off. Download it again.";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Map([0x5b, 0x7b].map((code) => [code, String.fromCharCode(code)]));
const CLOSING = new Map([
  [0x5d, "["],
  [0x7d, "{"],
]);

/**
 * The first list of objects in a JSON file, as a header and rows. Keys of nested objects are joined by
 * dots, and several values of one key by commas. One object is parsed at a time.
 *
 * @throws {ImportError} `json`, `no-names`, `too-many-columns` or `record-too-long`.
 */
export async function* readJson(file: Buffer): AsyncGenerator<string[]> {
  const keys = new Set<string>();
  for await (const object of listObjects(file)) {
    for (const key of object.keys()) keys.add(key);
    if (keys.size > MAX_COLUMNS) throw tooManyColumns();
  }
  if (keys.size === 0) {
    throw new ImportError("no-names", "This JSON file holds no list of domains.");
  }
  yield [...keys];
  for await (const object of listObjects(file)) yield [...keys].map((key) => object.get(key) ?? "");
}

/** The objects of the first list that has any. */
async function* listObjects(file: Buffer): AsyncGenerator<Map<string, string>> {
  const yielder = createYielder();
  let open = "";
  let isText = false;
  let start = 0;
  let found = false;
  for (let at = 0; at < file.length; at += 1) {
    if (at % 4096 === 0) await yielder();
    const code = file[at] ?? COMMA;
    if (code === QUOTE) isText = !isText;
    else if (isText) at += code === BACKSLASH ? 1 : 0;
    else if (OPENING.has(code)) {
      if (LIST.test(open)) start = at;
      open += OPENING.get(code);
      if (open.length > MAX_DEPTH) throw new ImportError("json", DAMAGED);
    } else if (CLOSING.has(code)) {
      if (!open.endsWith(CLOSING.get(code) ?? " ")) throw new ImportError("json", DAMAGED);
      open = open.slice(0, -1);
      if (found && !open.includes("[")) return;
      if (!LIST.test(open)) continue;
      found = true;
      yield parseObject(file.subarray(start, at + 1));
    }
  }
  if (open !== "" || isText) throw new ImportError("json", DAMAGED);
}

function parseObject(bytes: Buffer): Map<string, string> {
  if (bytes.length > MAX_RECORD_LENGTH) {
    const detail = "An entry of this JSON file is too long. Save the list as CSV.";
    throw new ImportError("record-too-long", detail);
  }
  const values = new Map<string, string>();
  try {
    flatten(JSON.parse(bytes.toString()), "", values);
  } catch {
    throw new ImportError("json", DAMAGED);
  }
  return values;
}

function flatten(value: unknown, key: string, values: Map<string, string>): void {
  if (Array.isArray(value)) {
    for (const item of value) flatten(item, key, values);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      flatten(inner, key === "" ? name : `${key}.${name}`, values);
    }
  } else {
    const [before, text] = [values.get(key), String(value ?? "")];
    values.set(key, before ? `${before}, ${text}` : text);
  }
}
