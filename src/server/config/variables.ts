import { DEFAULT_BRAND } from "../../shared/brand.ts";
import { OperatorError } from "../../shared/log.ts";

export const VARIABLES = {
  PORT: [3000, "port to listen on; 0 takes any free port"],
  HOST: ["127.0.0.1", "address to listen on; 0.0.0.0 or :: for all"],
  NODE_ENV: [
    null,
    "production = production mode (the executable is always in it); else development",
  ],
  BACKEND_URL: [null, "http(s) URL that /api/ is proxied to; unset: the embedded backend"],
  DATABASE_URL: [
    "sqlite://data/freehold.sqlite",
    "sqlite://<file> or postgres://<user>@<host>/<name>",
  ],
  BASE_PATH: [
    null,
    "path that the whole site is served below, such as /names; unset: the root of its host",
  ],
  BRAND: [DEFAULT_BRAND, "the product's name in title, footer and logo"],
  SETUP_CODE: [null, "needed to create the owner; unset: a random one is printed"],
  CREDENTIALS_KEY: [
    null,
    "encrypts stored passwords, 32 bytes in base64; unset: <database>.key (SQLite only)",
  ],
  MAX_UPLOAD_BYTES: [33_554_432, "embedded backend: larger uploads get 413"],
  UPSTREAM_TIMEOUT: [60, "seconds without a byte from the backend before 504"],
  BACKEND_CA: [null, "PEM file of a private authority for the backend"],
  LOG: ["access", "quiet: no line per request; json: every line is an object with its time"],
  METRICS: [null, "on: GET /metrics for Prometheus, unless a proxy forwards it"],
  TRUSTED_PROXIES: [
    null,
    "networks of your proxies, 10.0.0.0/8,…: their X-Forwarded-* headers are trusted",
  ],
  TRUST_PROXY: ["0", "deprecated: 1 trusts every client; set TRUSTED_PROXIES"],
  AUTH_HEADER: [
    null,
    "header in which a trusted proxy sends the signed-in person's e-mail address",
  ],
  AUTH_CREATE: [null, "viewer: AUTH_HEADER creates accounts for new addresses"],
  OIDC_ISSUER: [null, "https URL of an OpenID Connect provider to sign in with"],
  OIDC_CLIENT_ID: [null, "what this server is called there"],
  OIDC_CLIENT_SECRET: [null, "its secret there"],
  PUBLIC_URL: [null, "public http(s) URL of this server"],
  ALLOWED_HOSTS: [
    null,
    "embedded backend on the loopback: more host names that /api/ answers, a,b,c",
  ],
  BACKUP_DIR: [null, "embedded backend: existing folder for nightly backups"],
  BACKUP_KEEP: [7, "how many nightly backups are kept, 1 or more"],
  CHECKS: [null, "on or off: check domains live; unset: the owner chooses"],
  DNS_SERVERS: [null, "resolvers for checks and webhooks, a,b:53; unset: the system's"],
  CHECKS_ALLOW: [null, "private networks that checks may reach, 10.0.0.0/8,…"],
  CHECKS_SOURCES: [null, "JSON file of RDAP and WHOIS servers of your own"],
  SMTP_URL: [
    null,
    "mail server, smtps://user:password@host:465 or smtp://host:587; unset: the settings",
  ],
  MAIL_FROM: [null, "address that mail is sent from; needed with SMTP_URL"],
  OUTBOUND_ALLOW: [null, "private networks that webhooks and mail may reach, 10.0.0.0/8,…"],
  REGISTRAR_APIS: [null, "JSON file of origins and paces of registrars' APIs"],
  HEARTBEAT_URL: [null, "http(s) URL to request after each reminder check"],
  TLS_CERT: [null, "PEM file: HTTPS with HTTP/2, together with TLS_KEY"],
  TLS_KEY: [null, "PEM file: the private key of TLS_CERT"],
} as const satisfies Record<string, readonly [fallback: string | number | null, meaning: string]>;

export type VariableName = keyof typeof VARIABLES;
type Fallback<N extends VariableName> = (typeof VARIABLES)[N][0];

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
  // The services that take it know a job by its path alone.
  "HEARTBEAT_URL",
]);

/** Checks by variable. Each throws, with a message of one line, if the value cannot be used. */
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

  /** @throws {OperatorError} When anything was rejected: each bad variable on a line of its own. */
  finish() {
    const { length } = this.#problems;
    if (length === 0) return;
    const variables = length === 1 ? "1 variable" : `${length} variables`;
    const first = `The configuration has ${variables} that cannot be used:`;
    throw new OperatorError([first, ...this.#problems].join("\n  "));
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

export function describeUsage(): string {
  const names = Object.keys(VARIABLES);
  const width = Math.max(...names.map((name) => name.length));
  const variables = Object.entries(VARIABLES).map(([name, [fallback, meaning]]) => {
    const note = fallback === null ? "" : ` [${fallback}]`;
    return `  ${name.padEnd(width)}  ${meaning}${note}`;
  });
  return [
    "freehold: a self-hosted register of domain names",
    "",
    "Usage:",
    "  freehold                serves until SIGTERM or SIGINT",
    "  freehold backup FILE    writes a backup to a new file, also while the server runs",
    "  freehold restore FILE   restores one into an empty database",
    "  freehold doctor         checks database, backups, disk, mail and network; exits with 1 if a check fails",
    "  freehold demo           shows sample domains on this machine, and keeps nothing",
    "  freehold owner reset    prints a link to set a new owner password",
    "  freehold --help         shows this",
    "  freehold --version      shows the version",
    "",
    "Environment, with the default in brackets:",
    ...variables,
    "",
    "Exit codes: 0 done or stopped as asked, 1 failed.",
  ].join("\n");
}

type Command =
  | { kind: "serve" | "demo" | "doctor" | "help" | "version" | "owner reset" }
  | { kind: "backup" | "restore"; file: string };

const OPTIONS: Record<string, "help" | "version"> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

/** Reads the arguments behind the program's name; the first one counts. @throws {OperatorError} */
export function parseCommandLine(args: readonly string[]): Command {
  const [first = "", file, ...rest] = args;
  if (first === "backup" || first === "restore") {
    if (file?.match(/^[^-]/) && rest.length === 0) return { kind: first, file };
    throw new OperatorError(`Expected one file: ${first} FILE.`);
  }
  const command = args.join(" ");
  if (command === "owner reset" || command === "demo" || command === "doctor")
    return { kind: command };
  const unknown = args.filter((argument) => !Object.hasOwn(OPTIONS, argument));
  if (unknown.length > 0) {
    const named = unknown.map((argument) => JSON.stringify(argument)).join(", ");
    throw new OperatorError(
      `Expected no argument, backup FILE, restore FILE, owner reset, doctor, demo, --help or --version, got ${named}. Settings are environment variables: see --help.`,
    );
  }
  return { kind: OPTIONS[first] ?? "serve" };
}
