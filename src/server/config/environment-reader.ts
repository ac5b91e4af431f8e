import { type Fallback, type VariableName, VARIABLES } from "./variables.ts";

/** The configuration cannot be used; the message names every bad variable on a line of its own. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "1 variable" : `${problems.length} variables`;
    super([`The configuration has ${count} that cannot be used:`, ...problems].join("\n  "));
    this.problems = problems;
  }
}

/** Its value never appears in a message. */
const SECRET: VariableName = "SETUP_CODE";

/**
 * Reads variables of the environment and collects what is wrong with them, so that all of it is reported
 * at once. A bad variable yields its default meanwhile.
 */
export class EnvironmentReader {
  readonly #env: Record<string, string | undefined>;
  readonly #problems: string[] = [];

  constructor(env: Record<string, string | undefined>) {
    this.#env = env;
  }

  /** The value without surrounding space; null where it is unset or empty. */
  text(name: VariableName): string | null {
    return this.#env[name]?.trim() || null;
  }

  integer(name: VariableName, min: number, max: number): number {
    const text = this.text(name);
    const fallback = Number(VARIABLES[name].fallback);
    if (text === null) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.reject(name, `a whole number from ${min} to ${max}`);
    return fallback;
  }

  matching<N extends VariableName>(
    name: N,
    pattern: RegExp,
    expected: string,
  ): string | Fallback<N> {
    const text = this.text(name);
    if (text === null) return VARIABLES[name].fallback;
    if (!pattern.test(text)) this.reject(name, expected);
    return text;
  }

  /** One of `values`. */
  oneOf<const T extends string>(name: VariableName, values: readonly [T, ...T[]]): T {
    const text = this.text(name);
    const found = values.find((value) => value === (text ?? VARIABLES[name].fallback));
    if (text !== null && found === undefined) this.reject(name, values.join(" or "));
    return found ?? values[0];
  }

  /** What `parse` returns for the value, or what it expected instead. */
  parsed<N extends VariableName>(
    name: N,
    parse: (value: string) => string | { expected: string },
  ): string | Fallback<N> {
    const text = this.text(name);
    if (text === null) return VARIABLES[name].fallback;
    const value = parse(text);
    if (typeof value === "string") return value;
    this.reject(name, value.expected);
    return VARIABLES[name].fallback;
  }

  /** Records a problem: what was expected, and what came where that may be shown. */
  reject(name: VariableName, expected: string) {
    const text = this.text(name);
    const got =
      text === null ? "nothing" : name === SECRET ? "a different value" : quote(name, text);
    this.#problems.push(`${name}: expected ${expected}, got ${got}`);
  }

  /** @throws {ConfigError} When anything was rejected. */
  finish() {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }
}

/** Quotes a value without possible secrets: a password, a query, a key pasted instead of its file name. */
function quote(name: VariableName, value: string): string {
  if (name.endsWith("_URL")) return JSON.stringify(showUrl(value));
  return JSON.stringify(value.replace(/^.*@/s, "…@").replace(/(?:\?|-----BEGIN).*$/s, "…"));
}

/** Scheme, host, port and path of a URL that may be malformed: anything else may be a password. */
function showUrl(value: string): string {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(value)?.[0] ?? "";
  const rest = value.slice(scheme.length);
  const place = /^\/\/[^\s/:?#]*(?::\d{1,5}(?=\/|$))?(?:\/[^\s?#]*)?/.exec(rest)?.[0] ?? "";
  const shown = rest.includes("@") ? "" : place;
  return scheme + shown + (shown === rest ? "" : "…");
}
