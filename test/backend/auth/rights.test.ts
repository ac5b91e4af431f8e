import { afterAll, describe, expect, test as once } from "bun:test";
import type { SQL } from "bun";
import { connect } from "node:net";
import { addSession } from "../../../src/backend/auth/session/sessions.ts";
import { TABLES } from "../../../src/backend/backup/backup.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import type { Route } from "../../../src/backend/http/route.ts";
import { parseCreatedToken } from "../../../src/shared/tokens.ts";
import { createApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { previewOf, uploadFile } from "../../support/import-client.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { addPeople } from "../../support/people.ts";
import { parseMessage, statusOf } from "../../support/raw-http.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

/** How somebody loses, while their request is under way, what it was let in by. */
const ENDS = {
  demoted: (sql: SQL, id: string) => sql`update users set role = 'viewer' where id = ${id}`,
  disabled: (sql: SQL, id: string) => sql`update users set disabled = 1 where id = ${id}`,
  deleted: (sql: SQL, id: string) => sql`delete from users where id = ${id}`,
  "signed out": (sql: SQL, id: string) => sql`delete from sessions where user_id = ${id}`,
  revoked: (sql: SQL, id: string) => sql`delete from api_tokens where user_id = ${id}`,
  unproved: (sql: SQL, id: string) => sql`update sessions set proved_at = '' where user_id = ${id}`,
};
type End = keyof typeof ENDS;

const mail = await startMailServer();
afterAll(() => mail[Symbol.asyncDispose]());

const ID = crypto.randomUUID();
const FILE = "Name\nthree.example\n";
const CREDENTIAL = { id: "YQ", rawId: "YQ", type: "public-key" };
const PASSWORD = "correct horse battery";

/** A body for each route that takes JSON, good enough for its handler to write. */
const BODIES: Readonly<Record<string, unknown>> = {
  "PATCH /api/people/:id": { role: "owner", disabled: false },
  "PATCH /api/profile": { name: "Eve" },
  "POST /api/invitations": { role: "owner" },
  "POST /api/token/prove": { password: PASSWORD },
  "PUT /api/password": { current: PASSWORD, next: "another horse battery" },
  "PUT /api/email": { email: "eve@example.net", password: PASSWORD },
  "POST /api/factors/totp/confirm": { code: "123456" },
  "POST /api/passkeys/confirm": {
    name: "Key",
    credential: { ...CREDENTIAL, response: { clientDataJSON: "YQ", attestationObject: "YQ" } },
  },
  "PUT /api/sign-in": { passwords: true },
  "POST /api/tokens": { name: "Script", scope: "write" },
  "PUT /api/checks": { on: true },
  "PUT /api/settings/reference": { on: false },
  "POST /api/domains/:id/check": {},
  "PUT /api/reminders": { hour: 9 },
  "POST /api/channels": { kind: "webhook", name: "Mine", target: "http://127.0.0.1:9/" },
  "PATCH /api/channels/:id": { name: "Mine" },
  "PUT /api/mail-server": {
    host: "127.0.0.1",
    port: mail.port,
    tls: "off",
    user: null,
    sender: "eve@example.net",
    testTo: "eve@example.net",
  },
  "POST /api/calendars": { name: "Mine" },
  "POST /api/accounts": {
    registrar: "dnsimple",
    label: "Mine",
    fields: { token: "x" },
    test: false,
  },
  "PATCH /api/accounts/:id": { label: "Mine" },
  "POST /api/accounts/:id/accept": { names: ["a.example"] },
  "POST /api/accounts/:id/refuse": { names: ["a.example"] },
  "POST /api/accounts/:id/answer": { shrunken: "wait" },
  "POST /api/domains/bulk": { select: { ids: [ID] }, op: { kind: "delete" } },
  "POST /api/domains/bulk/foretell": { select: { ids: [ID] }, op: { kind: "delete" } },
  "POST /api/domains/conflicts": { select: { ids: [ID] } },
  "POST /api/domains.csv": { ids: [ID] },
  "POST /api/domains": { name: "eve.example" },
  "PATCH /api/domains/:id": { notes: "Mine" },
  "PUT /api/domains/:id/handled": { until: "2099-01-01" },
  "POST /api/bin/restore": { ids: [ID] },
  "PATCH /api/settings": {},
  "PATCH /api/registrars/:key": { loginUrl: "https://eve.example" },
  "POST /api/views": { name: "Mine", query: "" },
  "PATCH /api/views/:id": { name: "Mine" },
  "POST /api/imports": { uploadId: ID },
  "PATCH /api/imports/:id": {},
  "PATCH /api/imports/:id/rows": { skip: { ids: [] }, skipped: true },
};

const QUERIES: Readonly<Record<string, string>> = { "DELETE /api/imports": "?state=preview" };

/** What changes nothing here, whoever asks. */
const WRITES_NOTHING = new Set([
  "POST /api/channels/:id/test",
  "POST /api/oidc/link",
  "POST /api/domains/conflicts",
]);

/** The rows of every table. The count of failed attempts goes up before an attempt is judged. */
function dump(database: Database): Promise<Record<string, unknown[]>> {
  return database.read(async (sql) => {
    const tables: Record<string, unknown[]> = {};
    for (const table of [...TABLES, "sessions", "invitations", "challenges"]) {
      const rows = await sql<unknown[]>`select * from ${sql(table)}`;
      tables[table] = rows.map((row) => JSON.stringify(row)).toSorted();
    }
    return tables;
  });
}

/** A register with one of everything, in which something happens before the next write or after the next byte of a body. */
async function startRegister() {
  const next: { write: (() => Promise<void>) | null; body: (() => void) | null } = {
    write: null,
    body: null,
  };
  const before = async () => {
    const happen = next.write;
    next.write = null;
    await happen?.();
  };
  const server = await startBackend({
    instances: 2,
    loop: createSteppedLoop(),
    credentialsKey: Buffer.alloc(32, 7).toString("base64"),
    reminders: { publicUrl: "https://names.example", allow: ["127.0.0.0/8"] },
    checks: { mode: null, allow: [], sources: null },
    async open(url) {
      const opened = await openDatabase(url);
      return {
        ...opened,
        write: (work) => before().then(() => opened.write(work)),
        writeMany: (job, input) => before().then(() => opened.writeMany(job, input)),
      };
    },
    peer: {
      hold() {
        next.body?.();
        next.body = null;
        return true;
      },
    },
  });
  const database = await server.openDatabase();
  const owner = await server.owner();
  const add = async (path: string, json: unknown, method = "POST") => {
    const response = await owner.request(path, { method, json });
    expect([path, response.status]).toEqual([path, method === "POST" ? 201 : 200]);
    return response.json();
  };
  await add("/api/checks", { on: true }, "PUT");
  const { id: domain } = await add("/api/domains", { name: "one.example" });
  const { id: channel } = await add("/api/channels", BODIES["POST /api/channels"]);
  const { id: preview } = await previewOf(owner, "Name\ntwo.example\n");
  const ids: Record<string, string> = {
    "/api/domains/": domain,
    "/api/channels/": channel,
    "/api/imports/": preview,
  };

  /** Another owner, signed in a moment ago, with a token, and what their requests need to be there. */
  async function join() {
    const email = `${crypto.randomUUID()}@example.org`;
    const [id = ""] = await database.write((sql) => addPeople(sql, [{ email, role: "owner" }]));
    const [user] = await database.read(
      (sql) => sql<{ password: string }[]>`select password from users where id = ${id}`,
    );
    const from = { address: "127.0.0.1", user_agent: "" };
    const person = { id, password: user?.password ?? null };
    const session = await database.write((sql) => addSession(sql, person, from, null));
    const client = createApiClient(server.url);
    client.cookies.set("freehold-session", session ?? "");
    await client.request("/api/token");
    const made = await client.request("/api/tokens", {
      method: "POST",
      json: BODIES["POST /api/tokens"],
    });
    const { token } = parseCreatedToken(await made.json());
    return { id, client, token };
  }

  /** Sends a request as somebody who loses their right while `at` is under way; what has come of it. */
  async function ask(route: Route, end: End, at: "write" | "body") {
    const eve = await join();
    const name = `${route.method} ${route.path}`;
    const id = Object.entries(ids).find(([path]) => route.path.startsWith(path))?.[1] ?? ID;
    const path =
      route.path.replace(/:(\w+)/, (_, each) =>
        /^(?:id|operations)$/.test(each) ? id : "nothing",
      ) + (QUERIES[name] ?? "");
    const cookies = [...eve.client.cookies].map((pair) => pair.join("=")).join("; ");
    const who =
      end === "revoked"
        ? { Authorization: `Bearer ${eve.token}` }
        : { Cookie: cookies, "X-XSRF-TOKEN": eve.client.cookies.get("XSRF-TOKEN") ?? "" };
    const headers = { ...who, "If-Match": "*", "Idempotency-Key": crypto.randomUUID() };
    let left: unknown = null;
    const lose = async () => {
      await database.write((sql) => ENDS[end](sql, eve.id));
      left = await dump(database);
    };
    if (name === "POST /api/passkeys/confirm") {
      await eve.client.request("/api/passkeys", { method: "POST" });
    }
    const json =
      name === "POST /api/imports"
        ? { uploadId: await uploadFile(eve.client, FILE) }
        : BODIES[name];
    let status: number;
    if (at === "body") {
      status = await sendInTwo(path, { method: route.method, headers, json }, lose);
    } else {
      next.write = lose;
      const body =
        route.body === undefined ? {} : json === undefined ? { body: upload() } : { json };
      status = (
        await createApiClient(server.url).request(path, { method: route.method, headers, ...body })
      ).status;
      next.write = null;
    }
    return { status, isLost: left !== null, isSame: Bun.deepEquals(left, await dump(database)) };
  }

  /** Sends the head and a byte, waits until that was read, lets something happen, and sends the rest. */
  async function sendInTwo(
    path: string,
    { method, headers, json }: { method: string; headers: Record<string, string>; json: unknown },
    happen: () => Promise<void>,
  ) {
    const body = JSON.stringify(json);
    const head = {
      Host: server.url.host,
      Connection: "close",
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
      ...headers,
    };
    const lines = Object.entries(head).map((pair) => pair.join(": "));
    const begun = Promise.withResolvers<void>();
    next.body = begun.resolve;
    const ended = Promise.withResolvers<Buffer>();
    const received: Buffer[] = [];
    const socket = connect(Number(server.url.port), server.url.hostname);
    socket.on("data", (bytes) => received.push(Buffer.from(bytes)));
    socket.on("error", ended.reject);
    socket.on("close", () => ended.resolve(Buffer.concat(received)));
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body.slice(0, 1)}`);
    await Promise.race([begun.promise, ended.promise]);
    await happen();
    socket.write(body.slice(1));
    const message = parseMessage(await ended.promise);
    return message === null ? 0 : statusOf(message);
  }

  return {
    ask,
    routes: server.backend.routes,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
    },
  };
}

function upload(): FormData {
  const form = new FormData();
  form.append("file", new Blob([FILE]), "domains.csv");
  return form;
}

const isWrite = ({ method, role }: Route) => method !== "GET" && role !== "public";

/** The ends that a route can meet: of an API token where one may call it. */
function endsOf({ access }: Route): End[] {
  const ends: End[] = ["demoted", "disabled", "deleted", "signed out"];
  if (access === "proof") return [...ends, "unproved"];
  return access === "session" ? ends : [...ends, "revoked"];
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describe("a right that ends while it is used", () => {
  once("writes nothing, whatever the route", async () => {
    await using register = await startRegister();
    const wrong: string[] = [];
    for (const [index, route] of register.routes.filter(isWrite).entries()) {
      const ends = endsOf(route);
      const end = ends[index % ends.length] ?? "demoted";
      const { status, isLost, isSame } = await register.ask(route, end, "write");
      const isRefused = WRITES_NOTHING.has(nameOf(route))
        ? !isLost
        : isLost && isSame && [401, 403].includes(status);
      if (!isRefused) wrong.push([nameOf(route), end, status, isLost, isSame].join(" "));
    }
    expect(wrong).toEqual([]);
  });

  once("ends with a body that comes late, whatever the route", async () => {
    await using register = await startRegister();
    const hasBody = ({ body }: Route) => typeof body === "function";
    const withBody = register.routes.filter((each) => isWrite(each) && hasBody(each));
    expect(withBody.map(nameOf).toSorted()).toEqual(Object.keys(BODIES).toSorted());
    const wrong: string[] = [];
    for (const [index, route] of withBody.entries()) {
      const ends = endsOf(route);
      const end = ends[index % ends.length] ?? "demoted";
      const { status, isSame } = await register.ask(route, end, "body");
      if (!isSame || ![401, 403].includes(status))
        wrong.push([nameOf(route), end, status, isSame].join(" "));
    }
    expect(wrong).toEqual([]);
  });
});
