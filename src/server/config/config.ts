import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { EnvironmentReader } from "./environment-reader.ts";
import type { VariableName } from "./variables.ts";

/** Everything that can be set from outside, checked. `--help` says what each one means. */
export type Config = ReturnType<typeof readConfig>;

/** Seconds. Bun's idle timeout ends at 255 and has to stay above. */
const MAX_UPSTREAM_TIMEOUT = 240;

const HOST = /^(?:[\w.-]+|[\da-f:.]+(?:%\w+)?)$/i;
const BRAND = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,60}$/u;
const SETUP_CODE = /^[^\s\p{Cc}]{8,128}$/u;
const ALLOWED_HOSTS = /^[\w.-]+(?:\s*,\s*[\w.-]+)*$/;

/**
 * Reads the configuration. An empty variable counts as unset. Variables of the kind of backend that is
 * not used are checked as well.
 *
 * @throws {ConfigError} Naming every variable that cannot be used, all at once.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const reader = new EnvironmentReader(env);
  const config = {
    port: reader.integer("PORT", 0, 65_535),
    host: reader.matching("HOST", HOST, "a host name or an IP address"),
    production: reader.text("NODE_ENV") === "production",
    /** Where `/api/` is proxied to; null where the embedded backend answers. */
    backendUrl: reader.parsed("BACKEND_URL", parseHttpUrl),
    databaseUrl: reader.parsed("DATABASE_URL", parseDatabaseUrl),
    brand: reader.matching("BRAND", BRAND, "1 to 60 characters on one line"),
    setupCode: reader.matching("SETUP_CODE", SETUP_CODE, "8 to 128 characters without spaces"),
    maxUploadBytes: reader.integer("MAX_UPLOAD_BYTES", 1, Number.MAX_SAFE_INTEGER),
    /** Seconds. */
    upstreamTimeout: reader.integer("UPSTREAM_TIMEOUT", 1, MAX_UPSTREAM_TIMEOUT),
    /** PEM text of authorities beside those that are trusted anyway. */
    backendAuthorities: readCertificates(reader, "BACKEND_CA"),
    log: reader.oneOf("LOG", ["access", "quiet"] as const),
    trustProxy: reader.oneOf("TRUST_PROXY", ["0", "1"] as const) === "1",
    publicUrl: reader.parsed("PUBLIC_URL", parseHttpUrl),
    allowedHosts: readHosts(reader),
    /** Where a backup is written each night, of which the newest `keep` stay; null: nowhere. */
    backups: readBackups(reader),
    tls: readKeyPair(reader),
  };
  reader.finish();
  return Object.freeze(config);
}

function readBackups(reader: EnvironmentReader) {
  const folder = reader.text("BACKUP_DIR");
  const keep = reader.integer("BACKUP_KEEP", 1, 10_000);
  if (folder === null) return null;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return { folder, keep };
  reader.reject("BACKUP_DIR", "an existing folder");
  return null;
}

/** Host names in lower case. */
function readHosts(reader: EnvironmentReader): readonly string[] {
  const expected = "host names without ports, separated by commas";
  const list = reader.matching("ALLOWED_HOSTS", ALLOWED_HOSTS, expected);
  return Object.freeze(list?.toLowerCase().split(/\s*,\s*/) ?? []);
}

/** The URL without a trailing slash, so that a path can be appended. */
function parseHttpUrl(value: string): string | { expected: string } {
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

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** The certificates in the file that a variable names, as PEM text; null where it is unset. */
function readCertificates(reader: EnvironmentReader, name: VariableName): string | null {
  const pem = readPem(reader, name);
  if (pem === null) return null;
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length > 0 && certificates.every(isCertificate)) return pem;
  reader.reject(name, "a PEM file of certificates");
  return null;
}

/** A certificate chain and its private key: both or neither. */
function readKeyPair(reader: EnvironmentReader) {
  const names = ["TLS_CERT", "TLS_KEY"] as const;
  const missing = names.filter((name) => reader.text(name) === null);
  if (missing.length === 2) return null;
  for (const name of missing)
    reader.reject(name, "a PEM file: TLS_CERT and TLS_KEY belong together");
  const cert = readCertificates(reader, "TLS_CERT");
  const key = readPem(reader, "TLS_KEY");
  if (cert === null || key === null) return null;
  if (!belongTogether(cert, key)) reader.reject("TLS_KEY", "the PEM private key of TLS_CERT");
  return Object.freeze({ cert, key });
}

function readPem(reader: EnvironmentReader, name: VariableName): string | null {
  const path = reader.text(name);
  if (path === null) return null;
  try {
    return readFileSync(path, "utf8");
  } catch {
    reader.reject(name, "a readable file");
    return null;
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function belongTogether(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
