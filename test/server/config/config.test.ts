import { describe, expect, test } from "bun:test";
import { screens } from "../../../src/client/screens.ts";
import { readConfig } from "../../../src/server/config/config.ts";
import { VARIABLES } from "../../../src/server/config/variables.ts";
import { OperatorError } from "../../../src/shared/log.ts";
import { pem, TLS } from "../../support/server-process.ts";

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof OperatorError) return error.message.split("\n  ").slice(1);
    throw error;
  }
  return [];
}

describe("readConfig", () => {
  test.each([{}, { PORT: "", BRAND: "  ", BACKEND_URL: "" }])(
    "has a default for everything in %j, and cannot be changed",
    (env) => {
      expect(Object.isFrozen(readConfig({}))).toBe(true);
      expect(readConfig(env)).toMatchObject({
        port: 3000,
        host: "127.0.0.1",
        production: false,
        backendUrl: null,
        databaseUrl: "sqlite://data/freehold.sqlite",
        basePath: "",
        brand: "Freehold",
        maxUploadBytes: 33_554_432,
        upstreamTimeout: 60,
        log: "access",
        metrics: false,
        trustProxy: false,
        authHeader: null,
        oidc: null,
        allowedHosts: [],
        backups: null,
        tls: null,
      });
    },
  );

  test("takes every variable", () => {
    const env = {
      PORT: "8080",
      HOST: "::1",
      NODE_ENV: "production",
      BACKEND_URL: "HTTPS://Api.Example:8443/base//",
      DATABASE_URL: "postgres://me:secret@db/names",
      BRAND: 'A&B "<i>"',
      SETUP_CODE: "open-sesame",
      MAX_UPLOAD_BYTES: "1",
      UPSTREAM_TIMEOUT: "240",
      BACKEND_CA: pem("cert.pem"),
      LOG: "quiet",
      METRICS: "on",
      TRUST_PROXY: "1",
      BASE_PATH: "/base",
      PUBLIC_URL: "https://Names.Example/base/",
      ALLOWED_HOSTS: "box.lan , Other.LAN",
      ...TLS,
      BACKUP_DIR: import.meta.dir,
      BACKUP_KEEP: "3",
    };
    expect(readConfig(env)).toMatchObject({
      port: 8080,
      host: "::1",
      production: true,
      backendUrl: "https://api.example:8443/base",
      databaseUrl: "postgres://me:secret@db/names",
      brand: 'A&B "<i>"',
      setupCode: "open-sesame",
      maxUploadBytes: 1,
      upstreamTimeout: 240,
      backendAuthorities: expect.stringContaining("BEGIN CERTIFICATE"),
      log: "quiet",
      metrics: true,
      trustProxy: true,
      publicUrl: "https://names.example/base",
      allowedHosts: ["box.lan", "other.lan"],
      tls: { key: expect.stringContaining("PRIVATE KEY") },
      backups: { folder: import.meta.dir, keep: 3 },
    });
  });

  test("signs in by a header only of proxies whose networks are named", () => {
    const networks = { TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8" };
    const header = { ...networks, AUTH_HEADER: "Remote-Email" };
    expect(readConfig(networks)).toMatchObject({
      trustProxy: true,
      trustedProxies: ["10.0.0.0/8", "fd00::/8"],
      authHeader: null,
    });
    expect(readConfig({ ...header, AUTH_CREATE: "viewer" })).toMatchObject({
      authHeader: "remote-email",
      authCreate: "viewer",
    });
    expect(problemsOf({ AUTH_HEADER: "Remote-Email", TRUST_PROXY: "1" })).toEqual([
      "TRUSTED_PROXIES: expected the networks of your proxy, which AUTH_HEADER needs, got nothing",
    ]);
    expect(problemsOf({ ...networks, AUTH_CREATE: "viewer" })).toEqual([
      "AUTH_HEADER: expected a header, which AUTH_CREATE needs, got nothing",
    ]);
    for (const AUTH_HEADER of ["Cookie", "X-Forwarded-For", "content-type", "remote_email", ""]) {
      expect(problemsOf({ ...networks, AUTH_HEADER, AUTH_CREATE: "viewer" })).toHaveLength(1);
    }
  });

  test("takes a provider to sign in by, over http on the loopback only", () => {
    const client = { OIDC_CLIENT_ID: "freehold", OIDC_CLIENT_SECRET: "hunter2" };
    const issuers = ["https://id.example/realms/a/", "http://127.0.0.1:9000", "http://[::1]:9000/"];
    for (const OIDC_ISSUER of issuers) {
      expect(readConfig({ ...client, OIDC_ISSUER }).oidc).toMatchObject({ issuer: OIDC_ISSUER });
    }
    for (const OIDC_ISSUER of ["http://id.example", "https://id.example/?a=b", "id.example"]) {
      const problems = problemsOf({ ...client, OIDC_ISSUER });
      expect(problems).toEqual([expect.stringContaining("OIDC_ISSUER: expected an https:// URL")]);
    }
    expect(problemsOf(client)).toHaveLength(1);
    const secret = problemsOf({ OIDC_CLIENT_SECRET: "hunter2\u0007" }).join();
    expect(secret).toContain("OIDC_ISSUER");
    expect(secret).not.toContain("hunter2");
  });

  test("takes an existing folder for backups, and keeps one at least", () => {
    const problems = problemsOf({ BACKUP_DIR: "/nowhere/at/all", BACKUP_KEEP: "0" });
    expect(problems).toEqual([
      expect.stringContaining("BACKUP_KEEP"),
      expect.stringContaining("BACKUP_DIR: expected an existing, writable folder"),
    ]);
    expect(problemsOf({ BACKUP_KEEP: "3" })).toEqual([
      "BACKUP_DIR: expected a folder, which BACKUP_KEEP needs, got nothing",
    ]);
  });

  test("reads every variable that --help tells of", () => {
    const read = new Set<PropertyKey>();
    const env = new Proxy<Record<string, string>>(
      // A certificate is only asked for its key where it is there.
      { ...TLS },
      { get: (target, name) => (read.add(name), Reflect.get(target, name)) },
    );
    readConfig(env);
    expect([...read].toSorted()).toEqual(Object.keys(VARIABLES).toSorted());
  });

  const REFUSED: Readonly<Record<string, string[]>> = {
    PORT: ["65536", "1e3"],
    HOST: ["a b", "http://localhost"],
    BACKEND_URL:
      "backend:8080 ftp://backend/ http:backend unix:/run/backend http:// http://backend/?a=1 http://backend/#a http://backend/? http://me@backend/".split(
        " ",
      ),
    DATABASE_URL: ["mysql://db/names", "sqlite://"],
    BASE_PATH:
      "names /names/ //names /../names /na~mes /nämes /names?x https://host.example/names /api /assets/names".split(
        " ",
      ),
    BRAND: ["two\nlines", "x".repeat(61)],
    SETUP_CODE: ["short", "with a space in it"],
    MAX_UPLOAD_BYTES: ["0", "32MB"],
    UPSTREAM_TIMEOUT: ["0", "241"],
    BACKEND_CA: ["/nowhere.pem"],
    LOG: ["loud"],
    TRUST_PROXY: ["yes"],
    TRUSTED_PROXIES: ["10.0.0.1", "10.0.0.0/8,", "10.0.0.0/33"],
    CHECKS_ALLOW: ["10.0.0.0"],
    OUTBOUND_ALLOW: ["10.0.0.0"],
    PUBLIC_URL: ["names.example", "https://names.example/nowhere"],
    MAIL_FROM: ["a.example", "Freehold <a%b@c.example>", `a@${"b".repeat(253)}`],
    ALLOWED_HOSTS: ["a.example:80", "a.example,"],
  };
  const refused = Object.entries(REFUSED).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  test.each(refused)("refuses %s=%j", (name, value) => {
    const [problem = "", ...others] = problemsOf({ [name]: value });
    expect(problem).toStartWith(`${name}: expected `);
    expect(others).toEqual([]);
  });

  test("takes a base path, and / for none, but none that a path of the site begins with", () => {
    expect(readConfig({ BASE_PATH: "/" }).basePath).toBe("");
    expect(readConfig({ BASE_PATH: "/Tools_1/v1.names-2" }).basePath).toBe("/Tools_1/v1.names-2");
    expect(readConfig({ BASE_PATH: "/homes" }).basePath).toBe("/homes");
    const own = Object.keys(screens).filter((path) => path !== "/");
    for (const path of [...own.map((each) => each.replace(/\/:.*/, "")), "/healthz", "/metrics"])
      expect(problemsOf({ BASE_PATH: path })).toHaveLength(1);
  });

  test("puts the base path into PUBLIC_URL, where it is not there already", () => {
    const publicUrl = (PUBLIC_URL: string, BASE_PATH = "/names") =>
      readConfig({ PUBLIC_URL, BASE_PATH });
    for (const url of ["https://host.example", "https://host.example/names/"]) {
      const { publicUrl: read, reminders } = publicUrl(url);
      expect([read, reminders.publicUrl]).toEqual(Array(2).fill("https://host.example/names"));
    }
    expect(publicUrl("https://host.example/", "").publicUrl).toBe("https://host.example");
    const PUBLIC_URL = "https://host.example/other";
    expect(problemsOf({ PUBLIC_URL, BASE_PATH: "/names" })).toEqual([
      `PUBLIC_URL: expected an http:// or https:// URL without a path, or with BASE_PATH, got "${PUBLIC_URL}"`,
    ]);
  });

  test("refuses half a pair, and files that are not PEM, unreadable, or of two pairs", () => {
    const { TLS_CERT: cert, TLS_KEY: key } = TLS;
    const other = import.meta.path;
    const together = "expected a PEM file: TLS_CERT and TLS_KEY belong together, got nothing";
    for (const [env, problem] of [
      [{ TLS_CERT: cert }, `TLS_KEY: ${together}`],
      [{ TLS_KEY: key }, `TLS_CERT: ${together}`],
      [{ TLS_CERT: other, TLS_KEY: key }, "TLS_CERT: expected a PEM file of certificates"],
      [{ TLS_CERT: cert, TLS_KEY: pem("missing.pem") }, "TLS_KEY: expected a readable file"],
      [{ TLS_CERT: cert, TLS_KEY: other }, "TLS_KEY: expected the PEM private key"],
      [{ TLS_CERT: cert, TLS_KEY: pem("other-key.pem") }, "TLS_KEY: expected the PEM private key"],
      [{ BACKEND_CA: other }, "BACKEND_CA: expected a PEM file"],
    ] as const) {
      expect(problemsOf(env)[0]).toStartWith(problem);
    }
  });

  test("never repeats a secret", () => {
    const said = problemsOf({
      SETUP_CODE: "hunter2",
      DATABASE_URL: "mysql://me:hunter2@db/names?password=hunter2",
      BACKEND_URL: "http://me:hunter2@backend/?token=hunter2",
      HEARTBEAT_URL: "htps://ping.example/hunter2",
    });
    expect(said).toHaveLength(4);
    expect(said.join()).not.toContain("hunter2");
  });

  test.each([
    ["BACKEND_URL", "http://h/#hunter2", "http://h/…"],
    ["BACKEND_URL", "http://h/?a@hunter2", "http:…"],
    ["BACKEND_URL", "ftp:me:hunter2", "ftp:…"],
    ["BACKEND_URL", "hunter2", "…"],
    ["BACKEND_URL", "ftp://backend:80", "ftp://backend:80"],
    ["DATABASE_URL", "postgres:me:hunter2", "postgres:…"],
    ["DATABASE_URL", "postgres:/me:hunter2/db", "postgres:…"],
    ["DATABASE_URL", "postgres://me:hunter2", "postgres://me…"],
    ["DATABASE_URL", "postgres://me:80hunter2", "postgres://me…"],
    ["DATABASE_URL", "mysql://db/names", "mysql://db/names"],
    ["BACKEND_CA", "-----BEGIN PRIVATE KEY-----\nhunter2", "…"],
    ["HOST", "me:hunter2@backend", "…@backend"],
  ] as const)("shows of %s=%s no more than %s", (name, value, shown) => {
    const [said = ""] = problemsOf({ [name]: value });
    expect(said).toEndWith(`, got "${shown}"`);
    expect(said).not.toContain("hunter2");
  });
});
