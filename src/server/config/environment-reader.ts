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

interface Kind<T> {
  expected: string;
  parse: (text: string) => T | null;
}

export function integer(min: number, max: number): Kind<number> {
  const inRange = (text: string) =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (text) => (inRange(text) ? Number(text) : null),
  };
}

export function matching(pattern: RegExp, expected: string): Kind<string> {
  return { expected, parse: (text) => (pattern.test(text) ? text : null) };
}

export function oneOf<const T extends string>(...values: T[]): Kind<T> {
  const parse = (text: string) => values.find((value) => value === text) ?? null;
  return { expected: values.join(" or "), parse };
}

const SECRETS: ReadonlySet<VariableName> = new Set([
  "SETUP_CODE",
  "CREDENTIALS_KEY",
  "OIDC_CLIENT_SECRET",
]);

/** What throws where the value of a variable cannot be used, with a message of one line. */
export type ValueChecks = { readonly [N in VariableName]?: (value: unknown) => unknown };

/** Reads variables and collects what is wrong with them, to report all of it at once. */
export class EnvironmentReader {
  readonly #env: Record<string, string | undefined>;
  readonly #checks: ValueChecks;
  readonly #problems: string[] = [];

  constructor(env: Record<string, string | undefined>, checks: ValueChecks = {}) {
    this.#env = env;
    this.#checks = checks;
  }

  /** The value without surrounding space; null where it is unset or empty. */
  text(name: VariableName): string | null {
    return this.#env[name]?.trim() || null;
  }

  /** The value, or the default where it is unset or not of the kind. */
  read<N extends VariableName, T>(name: N, { expected, parse }: Kind<T>): T | Fallback<N> {
    const text = this.text(name);
    const value = text === null ? null : parse(text);
    if (text !== null && value === null) this.reject(name, expected);
    return value ?? VARIABLES[name][0];
  }

  reject(name: VariableName, expected: string) {
    const text = this.text(name);
    const got =
      text === null ? "nothing" : SECRETS.has(name) ? "a different value" : quote(name, text);
    this.#problems.push(`${name}: expected ${expected}, got ${got}`);
  }

  /** The value as it is; where its check throws, that is recorded as a problem. */
  checked<T>(name: VariableName, value: T): T {
    try {
      this.#checks[name]?.(value);
    } catch (error) {
      this.#problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return value;
  }

  /** @throws {ConfigError} When anything was rejected. */
  finish() {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }
}

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
