import type { FieldProblem } from "../../shared/contract.ts";

/** Limits of a text field; lengths are counted in UTF-16 units, as `<input maxlength>` does. */
export interface TextLimits {
  max: number;
  /** Line breaks and tabs are allowed. */
  multiline?: boolean;
}

/** Those of Unicode's class Cc, and those that make text read backwards (UAX #9 §2.1–2.4). */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const CONTROL_BUT_LINES = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r]/u;

/**
 * Reads the fields of one untrusted JSON object and keeps every complaint, so that all bad fields
 * are reported at once. Each reader returns null for a field that is bad: look at `problems` before
 * using anything.
 */
export class Fields {
  readonly problems: FieldProblem[] = [];
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #at: string;

  /** `at` is the JSON Pointer of the object itself; a field outside `known` is a complaint. */
  constructor(json: unknown, known: readonly string[], at = "") {
    this.#at = at;
    this.#values = new Map(isObject(json) ? Object.entries(json) : []);
    if (!isObject(json)) {
      this.problems.push({ pointer: at, code: "type", detail: expected("an object", json) });
    }
    for (const name of this.#values.keys()) {
      if (known.includes(name)) continue;
      const detail = `Unknown field; expected only ${known.join(", ")}`;
      this.refuse(name.slice(0, 100), "unknown", detail);
    }
  }

  /** Whether the field is there at all, null included. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The field as it came, to be checked by the caller. */
  value(name: string): unknown {
    return this.#values.get(name);
  }

  /** Complains about one field, or about one item of its list. */
  refuse(name: string, code: string, detail: string, item?: number): null {
    const segment = name.replaceAll("~", "~0").replaceAll("/", "~1");
    const index = item === undefined ? "" : `/${item}`;
    this.problems.push({ pointer: `${this.#at}/${segment}${index}`, code, detail });
    return null;
  }

  /** A string within its limits, exactly as it came. */
  text(name: string, limits: TextLimits): string | null {
    const value = this.value(name);
    if (typeof value !== "string") return this.refuse(name, "type", expected("a string", value));
    const fault = textFault(value, limits);
    return fault === null ? value : this.refuse(name, fault.code, fault.detail);
  }

  /** A trimmed label in composed form (NFC); null and blank are both "none". */
  label(name: string, max: number): string | null {
    if (this.value(name) === null) return null;
    const text = this.text(name, { max });
    if (text === null || isBlank(text)) return null;
    const label = text.normalize("NFC").trim();
    const fault = labelFault(label, max);
    return fault === null ? label : this.refuse(name, fault.code, fault.detail);
  }

  /** One of the given words, or null. */
  choice<const T extends string>(name: string, words: readonly T[]): T | null {
    const value = this.value(name);
    if (value === null) return null;
    const word = words.find((each) => each === value);
    return word ?? this.refuse(name, "choice", expected(`${words.join(", ")} or null`, value));
  }

  /** True, false, or null for unknown. */
  flag(name: string): boolean | null {
    const value = this.value(name);
    if (value === null || typeof value === "boolean") return value;
    return this.refuse(name, "type", expected("true, false or null", value));
  }

  /** A whole number between two bounds, which must be safe integers. */
  integer(name: string, min: number, max: number): number | null {
    const value = this.value(name);
    const whole = typeof value === "number" && Number.isSafeInteger(value);
    if (whole && value >= min && value <= max) return value;
    return this.refuse(name, "range", expected(`a whole number from ${min} to ${max}`, value));
  }
}

/**
 * What is wrong with a text, or null: too long, control characters (those of the direction of
 * writing included), or half a surrogate pair.
 */
export function textFault(value: string, limits: TextLimits): Omit<FieldProblem, "pointer"> | null {
  if (value.length > limits.max) {
    const detail = `Expected at most ${limits.max} characters, but got ${value.length}`;
    return { code: "length", detail };
  }
  const forbidden = limits.multiline === true ? CONTROL_BUT_LINES : CONTROL;
  if (!value.isWellFormed() || forbidden.test(value)) {
    return { code: "characters", detail: "Expected text without control characters" };
  }
  return null;
}

/** As `textFault`, and too long as it is compared (NFKC), where one character may become eighteen. */
export function labelFault(label: string, max: number): Omit<FieldProblem, "pointer"> | null {
  const fault = textFault(label, { max });
  const length = label.normalize("NFKC").toLowerCase().length;
  if (fault !== null || length <= max) return fault;
  const detail = `Expected at most ${max} characters, but got ${length} as it is compared (NFKC)`;
  return { code: "length", detail };
}

/** Whether there is nothing to see: white space, format characters (Cf), fillers. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** "Expected …, but got …", with what came cut short. */
export function expected(what: string, value: unknown): string {
  return `Expected ${what}, but got ${describe(value)}`;
}

/** Text to be repeated in a message: what would turn the words after it around is spelled out. */
export function quotable(text: string): string {
  return text.replace(
    /[\u202a-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16)}`,
  );
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  const text = quotable(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
