import { createPrivateKey, X509Certificate } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { screens } from "../../client/screens.ts";
import { SENDER, SENDER_IN_WORDS } from "../../shared/reminders.ts";
import { canonicalAddress, isLoopback } from "../peer.ts";
import {
  EnvironmentReader,
  integer,
  matching,
  oneOf,
  type ValueChecks,
  type VariableName,
} from "./variables.ts";

/** Everything that can be set from outside, checked. `--help` says what each one means. */
export type Config = ReturnType<typeof readConfig>;

/** Bun's idle timeout ends at 255 and has to stay above. */
const MAX_UPSTREAM_SECONDS = 240;

const HOST = matching(/^(?:[\w.-]+|[\da-f:.]+(?:%\w+)?)$/i, "a host name or an IP address");
const OWN_PATHS = new Set([
  "_bun",
  "api",
  "assets",
  "healthz",
  "metrics",
  "readyz",
  ...Object.keys(screens).map((path) => path.split("/")[1]),
]);
/** A proxy may strip it, so what remains of a path must never begin with it again. */
const BASE_PATH = {
  expected:
    "a path such as /names, without a slash at its end, whose first segment is not one of this site's",
  parse(text: string) {
    if (text === "/") return "";
    const isOwn = OWN_PATHS.has(text.split("/")[1]);
    return /^(?:\/[\w-][\w.-]*)+$/.test(text) && !isOwn ? text : null;
  },
};
const BRAND = matching(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,60}$/u, "1 to 60 characters on one line");
const SETUP_CODE = matching(/^[^\s\p{Cc}]{8,128}$/u, "8 to 128 characters without spaces");
const CREDENTIALS_KEY = matching(
  /^(?:[A-Za-z\d+/]{4}){10}[A-Za-z\d+/]{2}[AEIMQUYcgkosw048]=$/,
  "32 bytes in base64, such as openssl rand -base64 32 prints",
);
const DATABASE_URL = matching(
  /^sqlite:\/\/[^?#]+$|^postgres(?:ql)?:\/\/[^/]+\/[^/]+/i,
  "sqlite://<file> or postgres://<user>@<host>/<database>",
);
const HOSTS = {
  expected: "host names without ports, separated by commas",
  parse(text: string) {
    const listed = /^[\w.-]+(?:\s*,\s*[\w.-]+)*$/.test(text);
    return listed ? Object.freeze(text.toLowerCase().split(/\s*,\s*/)) : null;
  },
};
const LIST = {
  expected: "values separated by commas",
  parse: (text: string) => Object.freeze(text.split(",").map((part) => part.trim())),
};
/** Without a trailing slash, so that a path can be appended. */
const HTTP_URL = {
  expected: "an http:// or https:// URL without credentials, query or fragment",
  parse(text: string) {
    const url = /^https?:\/\/[^\s?#]*$/i.test(text) ? URL.parse(text) : null;
    return url?.username === "" && url.password === "" ? url.href.replace(/\/+$/, "") : null;
  },
};

const NETWORKS = {
  expected: "networks such as 10.0.0.0/8 or 127.0.0.1/32, separated by commas",
  parse(text: string) {
    const networks = LIST.parse(text);
    return networks.every((each) => ipaddr.isValidCIDR(each)) ? networks : null;
  },
};
/** Not a header that means something else, or that any client may send through a proxy. */
const AUTH_HEADER = matching(
  /^(?!(?:authorization|connection|cookie|forwarded|host|origin|x-xsrf-token|x-forwarded-(?:for|host|proto))$|(?:accept|content|sec|transfer)\b)[a-z][a-z\d-]{0,60}$/i,
  "the name of a header such as Remote-Email",
);
/** As it came: an issuer is compared letter by letter. */
const ISSUER = {
  expected: "an https:// URL without credentials, query or fragment; http:// only on the loopback",
  parse(text: string) {
    const url = HTTP_URL.parse(text) === null ? null : new URL(text);
    const isLocal =
      url?.hostname === "localhost" || isLoopback(canonicalAddress(url?.hostname ?? "") ?? "");
    return url !== null && (url.protocol === "https:" || isLocal) ? text : null;
  },
};
const ONE_LINE = matching(/^[^\p{Cc}]{1,1000}$/u, "1 to 1000 characters on one line");

const SMTP_URL = {
  expected: "smtps://user:password@host:465 or smtp://user:password@host:587",
  parse: (text: string) =>
    /^smtps?:\/\/[^\s/?#]+\/?(?:\?tls=off)?$/i.test(text) && URL.canParse(text) ? text : null,
};
const HEARTBEAT_URL = {
  expected: "an http:// or https:// URL",
  parse: (text: string) =>
    /^https?:\/\/\S+$/i.test(text) ? (URL.parse(text)?.href ?? null) : null,
};

/** Reads the configuration; an empty variable counts as unset. @throws {OperatorError} */
export function readConfig(env: Record<string, string | undefined>, checks: ValueChecks = {}) {
  const reader = new EnvironmentReader(env, checks);
  const basePath = reader.read("BASE_PATH", BASE_PATH) ?? "";
  const publicUrl = readPublicUrl(reader, basePath);
  const config = {
    port: reader.read("PORT", integer(0, 65_535)),
    host: reader.read("HOST", HOST),
    production: reader.text("NODE_ENV") === "production",
    backendUrl: reader.read("BACKEND_URL", HTTP_URL),
    databaseUrl: reader.read("DATABASE_URL", DATABASE_URL),
    /** Before every path that a browser asks for; empty at the root of the host. */
    basePath,
    brand: reader.read("BRAND", BRAND),
    setupCode: reader.read("SETUP_CODE", SETUP_CODE),
    credentialsKey: reader.read("CREDENTIALS_KEY", CREDENTIALS_KEY),
    maxUploadBytes: reader.read("MAX_UPLOAD_BYTES", integer(1, Number.MAX_SAFE_INTEGER)),
    /** Seconds. */
    upstreamTimeout: reader.read("UPSTREAM_TIMEOUT", integer(1, MAX_UPSTREAM_SECONDS)),
    /** PEM text of authorities beside those that are trusted anyway. */
    backendAuthorities: readCertificates(reader, "BACKEND_CA"),
    log: reader.read("LOG", oneOf("access", "quiet", "json")),
    metrics: reader.read("METRICS", oneOf("on", "off")) === "on",
    ...readProxies(reader),
    /** What `/api/` signs in by; null: the header, or the provider, is not used. */
    oidc: readOidc(reader),
    publicUrl,
    /** In lower case. */
    allowedHosts: reader.read("ALLOWED_HOSTS", HOSTS) ?? [],
    /** Where a backup is written each night, and how many of the newest stay; null for none. */
    backups: readBackups(reader),
    dnsServers: reader.checked("DNS_SERVERS", reader.read("DNS_SERVERS", LIST) ?? []),
    checks: {
      mode: reader.read("CHECKS", oneOf("on", "off")),
      allow: reader.read("CHECKS_ALLOW", NETWORKS) ?? [],
      sources: readJsonFile(reader, "CHECKS_SOURCES"),
    },
    accounts: { apis: readJsonFile(reader, "REGISTRAR_APIS") },
    reminders: {
      smtpUrl: reader.read("SMTP_URL", SMTP_URL),
      mailFrom: reader.read("MAIL_FROM", matching(SENDER, SENDER_IN_WORDS)),
      allow: reader.read("OUTBOUND_ALLOW", NETWORKS) ?? [],
      heartbeatUrl: reader.read("HEARTBEAT_URL", HEARTBEAT_URL),
      publicUrl,
    },
    tls: readKeyPair(reader),
  };
  reader.finish();
  return Object.freeze(config);
}

/** How lines are written, also those that tell what is wrong with the configuration. */
export function readLogFormat(env: Record<string, string | undefined>): "text" | "json" {
  return new EnvironmentReader(env).text("LOG") === "json" ? "json" : "text";
}

/** With the base path at its end, written or not. */
function readPublicUrl(reader: EnvironmentReader, basePath: string): string | null {
  const publicUrl = reader.read("PUBLIC_URL", HTTP_URL);
  if (publicUrl === null) return null;
  const { origin, pathname } = new URL(publicUrl);
  if (pathname !== "/" && pathname !== basePath)
    reader.reject("PUBLIC_URL", "an http:// or https:// URL without a path, or with BASE_PATH");
  return origin + basePath;
}

function readProxies(reader: EnvironmentReader) {
  const trustedProxies = reader.read("TRUSTED_PROXIES", NETWORKS) ?? [];
  const believesAll = reader.read("TRUST_PROXY", oneOf("0", "1")) === "1";
  const header = reader.read("AUTH_HEADER", AUTH_HEADER);
  const create = reader.read("AUTH_CREATE", oneOf("viewer"));
  if (reader.text("AUTH_HEADER") !== null && reader.text("TRUSTED_PROXIES") === null) {
    reader.reject("TRUSTED_PROXIES", "the networks of your proxy, which AUTH_HEADER needs");
  }
  if (reader.text("AUTH_CREATE") !== null && reader.text("AUTH_HEADER") === null) {
    reader.reject("AUTH_HEADER", "a header, which AUTH_CREATE needs");
  }
  return {
    trustProxy: believesAll || trustedProxies.length > 0,
    /** Its networks in CIDR; without any, every peer is taken for the proxy. */
    trustedProxies,
    /** In lower case; null: no header signs in. */
    authHeader: header?.toLowerCase() ?? null,
    authCreate: create,
  };
}

function readOidc(reader: EnvironmentReader) {
  const names = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  const issuer = reader.read("OIDC_ISSUER", ISSUER);
  const clientId = reader.read("OIDC_CLIENT_ID", ONE_LINE);
  const clientSecret = reader.read("OIDC_CLIENT_SECRET", ONE_LINE);
  const missing = names.filter((name) => reader.text(name) === null);
  if (missing.length === names.length) return null;
  for (const name of missing) reader.reject(name, `a value: ${names.join(", ")} belong together`);
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return Object.freeze({ issuer, clientId, clientSecret });
}

function readBackups(reader: EnvironmentReader) {
  const folder = reader.text("BACKUP_DIR");
  const keep = reader.read("BACKUP_KEEP", integer(1, 10_000));
  if (folder === null) {
    if (reader.text("BACKUP_KEEP") !== null)
      reader.reject("BACKUP_DIR", "a folder, which BACKUP_KEEP needs");
    return null;
  }
  // Only a file that is made there tells: root may write everywhere, and a disk may be read-only.
  const probe = join(folder, `.freehold-${crypto.randomUUID()}.partial`);
  const isWritable = attempt(() => {
    closeSync(openSync(probe, "wx", 0o600));
    rmSync(probe);
    return true;
  });
  if (isWritable) return { folder, keep };
  reader.reject("BACKUP_DIR", "an existing, writable folder");
  return null;
}

function readJsonFile(reader: EnvironmentReader, name: VariableName): unknown {
  const path = reader.text(name);
  if (path === null) return null;
  const read = attempt(() => [JSON.parse(readFileSync(path, "utf8"))] as const);
  if (read !== null) return reader.checked<unknown>(name, read[0]);
  reader.reject(name, "a readable file of JSON");
  return null;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

function readCertificates(reader: EnvironmentReader, name: VariableName): string | null {
  const pem = readPem(reader, name);
  if (pem === null) return null;
  const certificates = pem.match(CERTIFICATE) ?? [];
  const valid = certificates.every((one) => attempt(() => new X509Certificate(one)));
  if (certificates.length > 0 && valid) return pem;
  reader.reject(name, "a PEM file of certificates");
  return null;
}

function readKeyPair(reader: EnvironmentReader) {
  const names = ["TLS_CERT", "TLS_KEY"] as const;
  const missing = names.filter((name) => reader.text(name) === null);
  if (missing.length === 2) return null;
  for (const name of missing)
    reader.reject(name, "a PEM file: TLS_CERT and TLS_KEY belong together");
  const cert = readCertificates(reader, "TLS_CERT");
  const key = readPem(reader, "TLS_KEY");
  if (cert === null || key === null) return null;
  const belongTogether = () => new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  if (attempt(belongTogether) !== true) reader.reject("TLS_KEY", "the PEM private key of TLS_CERT");
  return Object.freeze({ cert, key });
}

function readPem(reader: EnvironmentReader, name: VariableName): string | null {
  const path = reader.text(name);
  const text = path === null ? null : attempt(() => readFileSync(path, "utf8"));
  if (path !== null && text === null) reader.reject(name, "a readable file");
  return text;
}

/** What `work` returns; null where it throws, as it does for what is missing or malformed. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
