import { EnvironmentReader } from "./environment-reader.ts";
import { readAuthorities, readKeyPair } from "./pem-files.ts";

/** Everything that can be set from outside, checked. See the README for what each one means. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly production: boolean;
  /** Where `/api/` is proxied to; null where the embedded backend answers. */
  readonly backendUrl: string | null;
  readonly databaseUrl: string;
  readonly brand: string;
  readonly setupCode: string | null;
  readonly maxUploadBytes: number;
  /** Seconds without a byte from the backend. */
  readonly upstreamTimeout: number;
  /** PEM text of private authorities, beside those that are trusted anyway. */
  readonly backendAuthorities: string | null;
  readonly log: "access" | "quiet";
  readonly trustProxy: boolean;
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** The longest wait for a backend: Bun's own idle timeout ends at 255 seconds and has to stay above. */
const LONGEST_UPSTREAM_TIMEOUT = 240;

/**
 * Reads the configuration. A variable that is empty counts as unset; one that belongs to the other
 * kind of backend is checked all the same.
 *
 * @throws {ConfigError} Naming every variable that cannot be used, all at once.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const reader = new EnvironmentReader(env);
  const config = {
    port: reader.integer("PORT", 0, 65_535),
    host: reader.matching("HOST", HOST, "a host name or an IP address"),
    production: reader.text("NODE_ENV") === "production",
    backendUrl: reader.parsed("BACKEND_URL", parseBackendUrl),
    databaseUrl: reader.parsed("DATABASE_URL", parseDatabaseUrl),
    brand: reader.matching("BRAND", BRAND, "1 to 60 characters on one line"),
    setupCode: reader.matching("SETUP_CODE", SETUP_CODE, "8 to 128 characters without spaces"),
    maxUploadBytes: reader.integer("MAX_UPLOAD_BYTES", 1, Number.MAX_SAFE_INTEGER),
    upstreamTimeout: reader.integer("UPSTREAM_TIMEOUT", 1, LONGEST_UPSTREAM_TIMEOUT),
    backendAuthorities: readAuthorities(reader, "BACKEND_CA"),
    log: reader.oneOf("LOG", ["access", "quiet"] as const),
    trustProxy: reader.oneOf("TRUST_PROXY", ["0", "1"] as const) === "1",
    tls: readKeyPair(reader, "TLS_CERT", "TLS_KEY"),
  };
  reader.finish();
  return Object.freeze(config);
}

const HOST = /^(?:[\w.-]+|[\da-f:.]+(?:%\w+)?)$/i;
const BRAND = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,60}$/u;
const SETUP_CODE = /^[^\s\p{Cc}]{8,128}$/u;

/** The URL without a trailing slash, so that a path can be put behind it. */
function parseBackendUrl(value: string): string | { expected: string } {
  const expected = "an http:// or https:// URL without credentials, query or fragment";
  const url = URL.parse(value);
  const usable =
    url !== null &&
    /^https?:\/\//i.test(value) &&
    !/[\s?#]/.test(value) &&
    url.username === "" &&
    url.password === "";
  return usable ? url.href.replace(/\/+$/, "") : { expected };
}

function parseDatabaseUrl(value: string): string | { expected: string } {
  const usable =
    /^sqlite:\/\/[^?#]+$/i.test(value) || /^postgres(?:ql)?:\/\/[^/]+\/[^/]+/i.test(value);
  return usable ? value : { expected: "sqlite://<file> or postgres://<user>@<host>/<database>" };
}
