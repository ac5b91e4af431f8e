import { DEFAULT_BRAND } from "../../shared/brand.ts";

/** Every variable that can be set: the configuration is read and explained from this table. */
export const VARIABLES = {
  PORT: { fallback: 3000, meaning: "port to listen on; 0 takes any free port" },
  HOST: { fallback: "127.0.0.1", meaning: "address to listen on; 0.0.0.0 or :: for all" },
  NODE_ENV: {
    fallback: null,
    meaning: "production = production mode (the executable is always in it); else development",
  },
  BACKEND_URL: {
    fallback: null,
    meaning: "http(s) URL that /api/ is proxied to; unset: the embedded backend",
  },
  DATABASE_URL: {
    fallback: "sqlite://data/freehold.sqlite",
    meaning: "sqlite://<file> or postgres://<user>@<host>/<name>",
  },
  BASE_PATH: {
    fallback: null,
    meaning:
      "path that the whole site is served below, such as /names; unset: the root of its host",
  },
  BRAND: { fallback: DEFAULT_BRAND, meaning: "the product's name in title, footer and logo" },
  SETUP_CODE: {
    fallback: null,
    meaning: "needed to create the owner; unset: a random one is printed",
  },
  CREDENTIALS_KEY: {
    fallback: null,
    meaning: "encrypts stored passwords, 32 bytes in base64; unset: <database>.key (SQLite only)",
  },
  MAX_UPLOAD_BYTES: { fallback: 33_554_432, meaning: "embedded backend: larger uploads get 413" },
  UPSTREAM_TIMEOUT: {
    fallback: 60,
    meaning: "seconds without a byte from the backend before 504",
  },
  BACKEND_CA: { fallback: null, meaning: "PEM file of a private authority for the backend" },
  LOG: {
    fallback: "access",
    meaning: "quiet: no line per request; json: every line is an object with its time",
  },
  METRICS: {
    fallback: null,
    meaning: "on: GET /metrics for Prometheus, unless a proxy forwards it",
  },
  TRUSTED_PROXIES: {
    fallback: null,
    meaning: "networks of your proxies, 10.0.0.0/8,…: their X-Forwarded-* headers are true",
  },
  TRUST_PROXY: { fallback: "0", meaning: "old: 1 believes every client; set TRUSTED_PROXIES" },
  AUTH_HEADER: {
    fallback: null,
    meaning: "header in which a trusted proxy sends the e-mail address of who is signed in",
  },
  AUTH_CREATE: { fallback: null, meaning: "viewer: AUTH_HEADER makes accounts for new addresses" },
  OIDC_ISSUER: { fallback: null, meaning: "https URL of an OpenID Connect provider to sign in by" },
  OIDC_CLIENT_ID: { fallback: null, meaning: "what this server is called there" },
  OIDC_CLIENT_SECRET: { fallback: null, meaning: "its secret there" },
  PUBLIC_URL: { fallback: null, meaning: "http(s) URL that browsers find this server at" },
  ALLOWED_HOSTS: {
    fallback: null,
    meaning: "embedded backend on the loopback: more host names that /api/ answers, a,b,c",
  },
  BACKUP_DIR: { fallback: null, meaning: "embedded backend: existing folder for nightly backups" },
  BACKUP_KEEP: { fallback: 7, meaning: "how many nightly backups stay, 1 or more" },
  CHECKS: { fallback: null, meaning: "on or off: check domains live; unset: the owner chooses" },
  DNS_SERVERS: {
    fallback: null,
    meaning: "resolvers for checks and webhooks, a,b:53; unset: the system's",
  },
  CHECKS_ALLOW: { fallback: null, meaning: "private networks that checks may reach, 10.0.0.0/8,…" },
  CHECKS_SOURCES: { fallback: null, meaning: "JSON file of RDAP and WHOIS servers of your own" },
  SMTP_URL: {
    fallback: null,
    meaning: "mail server, smtps://user:password@host:465 or smtp://host:587; unset: the settings",
  },
  MAIL_FROM: { fallback: null, meaning: "address that mail is sent from; needed with SMTP_URL" },
  OUTBOUND_ALLOW: {
    fallback: null,
    meaning: "private networks that webhooks and mail may reach, 10.0.0.0/8,…",
  },
  REGISTRAR_APIS: { fallback: null, meaning: "JSON file of origins and paces of registrars' APIs" },
  HEARTBEAT_URL: { fallback: null, meaning: "http(s) URL asked after each look for reminders" },
  TLS_CERT: { fallback: null, meaning: "PEM file: HTTPS with HTTP/2, together with TLS_KEY" },
  TLS_KEY: { fallback: null, meaning: "PEM file: the private key of TLS_CERT" },
} as const satisfies Record<string, { fallback: string | number | null; meaning: string }>;

export type VariableName = keyof typeof VARIABLES;
export type Fallback<N extends VariableName> = (typeof VARIABLES)[N]["fallback"];

/** The text of `--help`: every variable with its default. */
export function describeUsage(program: string): string {
  const names = Object.keys(VARIABLES);
  const width = Math.max(...names.map((name) => name.length));
  const variables = Object.entries(VARIABLES).map(([name, { fallback, meaning }]) => {
    const note = fallback === null ? "" : ` [${fallback}]`;
    return `  ${name.padEnd(width)}  ${meaning}${note}`;
  });
  return [
    `${program}: a self-hosted register of domain names`,
    "",
    "Usage:",
    `  ${program}                serves until SIGTERM or SIGINT`,
    `  ${program} backup FILE    writes a backup to a new file, also while the server runs`,
    `  ${program} restore FILE   restores one into an empty database`,
    `  ${program} owner reset    prints a link with which the owner sets a new password`,
    `  ${program} --help         shows this`,
    `  ${program} --version      shows the version`,
    "",
    "Environment, with the default in brackets:",
    ...variables,
    "",
    "Exit codes: 0 done or stopped as asked, 1 failed.",
  ].join("\n");
}

type Command =
  | { kind: "serve" | "help" | "version" | "owner reset" }
  | { kind: "backup" | "restore"; file: string };

/** An argument is not known; the message says which, and what there is instead. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

const OPTIONS: Record<string, "help" | "version"> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

/** Reads the arguments behind the program's name; the first one counts. @throws {CommandLineError} */
export function parseCommandLine(args: readonly string[]): Command {
  const [first = "", file, ...rest] = args;
  if (first === "backup" || first === "restore") {
    if (file !== undefined && file !== "" && rest.length === 0) return { kind: first, file };
    throw new CommandLineError(`Expected one file: ${first} FILE.`);
  }
  if (args.join(" ") === "owner reset") return { kind: "owner reset" };
  const unknown = args.filter((argument) => !Object.hasOwn(OPTIONS, argument));
  if (unknown.length > 0) {
    const named = unknown.map((argument) => JSON.stringify(argument)).join(", ");
    throw new CommandLineError(
      `Expected no argument, backup FILE, restore FILE, owner reset, --help or --version, got ${named}. Settings are environment variables: see --help.`,
    );
  }
  return { kind: OPTIONS[first] ?? "serve" };
}
