import { afterAll, describe, expect, test as once } from "bun:test";
import type { SQL } from "bun";
import { TABLES } from "../../../src/backend/backup/backup.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import type { Route } from "../../../src/backend/http/route.ts";
import { parseCreatedToken } from "../../../src/shared/tokens.ts";
import { createApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { PREPARE, type ReadyRequest } from "../../support/every-request.ts";
import { CREDENTIALS_KEY, fillAccounts } from "../../support/fill-accounts.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { joinAs } from "../../support/people.ts";
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

const CREDENTIAL = { id: "YQ", rawId: "YQ", type: "public-key" };

/** What is good enough to be written, where that of `PREPARE` is not. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /api/passkeys/confirm": {
    name: "Key",
    credential: { ...CREDENTIAL, response: { clientDataJSON: "YQ", attestationObject: "YQ" } },
  },
  "PUT /api/mail-server": {
    host: "127.0.0.1",
    port: mail.port,
    tls: "off",
    user: null,
    sender: "eve@example.net",
    testTo: "eve@example.net",
  },
};

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
    credentialsKey: CREDENTIALS_KEY,
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
  await owner.put("/api/checks", { on: true });
  await fillRegister(database, 24);
  await fillAccounts(database, { accounts: 2, people: 2, extra: 3 });
  const register = { ...server, owner, names: 24 };

  /** Another owner, signed in a moment ago, with a token, and what their requests need to be there. */
  async function join() {
    const email = `${crypto.randomUUID()}@example.org`;
    const { id, client } = await joinAs(server, { email, role: "owner" });
    const made = await client.post("/api/tokens", { name: "Script", scope: "write" });
    const { token } = parseCreatedToken(await made.json());
    return { id, client, token };
  }

  /** Sends a request as somebody who loses their right while `at` is under way; what has come of it. */
  async function ask(route: Route, end: End, at: "write" | "body") {
    const name = `${route.method} ${route.path}`;
    const request: ReadyRequest = {
      path: "",
      ...(await PREPARE[name]?.(register)),
      ...(BODIES[name] && { json: BODIES[name] }),
    };
    const eve = await join();
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
    if (name === "POST /api/passkeys/confirm") await eve.client.post("/api/passkeys");
    const sent = { ...request, method: route.method, headers };
    let status: number;
    if (at === "body") status = await sendInTwo(sent, lose);
    else {
      next.write = lose;
      ({ status } = await createApiClient(server.url).request(request.path, sent));
      next.write = null;
    }
    return { status, isLost: left !== null, isSame: Bun.deepEquals(left, await dump(database)) };
  }

  /** Sends the head and a byte, waits until that was read, lets something happen, and sends the rest. */
  async function sendInTwo(
    { path, json, headers, ...sent }: ReadyRequest & { headers: Record<string, string> },
    happen: () => Promise<void>,
  ) {
    const bytes = Buffer.from(JSON.stringify(json));
    const begun = Promise.withResolvers<void>();
    next.body = begun.resolve;
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(bytes.subarray(0, 1));
        await begun.promise;
        await happen();
        stream.enqueue(bytes.subarray(1));
        stream.close();
      },
    });
    const typed = { ...headers, "Content-Type": "application/json" };
    const request = { ...sent, headers: typed, body };
    return (await createApiClient(server.url).request(path, request)).status;
  }

  return {
    ask,
    routes: server.backend.routes,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const isWrite = ({ method, role }: Route) => method !== "GET" && role !== "public";

/** The ends that a route can meet: of an API token where one may call it. */
function endsOf({ access }: Route): End[] {
  const ends: End[] = ["demoted", "disabled", "deleted", "signed out"];
  if (access === "proof") return [...ends, "unproved"];
  return access === "session" ? ends : [...ends, "revoked"];
}

/** What routes do with a right that ends at such a moment; each ends in another way than the one before. */
async function askAll(at: "write" | "body", isAsked: (route: Route) => boolean) {
  await using register = await startRegister();
  const outcomes = [];
  for (const [index, route] of register.routes.filter(isAsked).entries()) {
    const ends = endsOf(route);
    const end = ends[index % ends.length] ?? "demoted";
    const { status, ...rest } = await register.ask(route, end, at);
    const name = `${route.method} ${route.path}`;
    outcomes.push({ name, end, status, isRefused: [401, 403].includes(status), ...rest });
  }
  return outcomes;
}

describe("a right that ends while it is used", () => {
  once("writes nothing, whatever the route", async () => {
    const wrong = (await askAll("write", isWrite)).filter(({ name, isRefused, isLost, isSame }) =>
      WRITES_NOTHING.has(name) ? isLost : !(isLost && isSame && isRefused),
    );
    expect(wrong).toEqual([]);
  });

  once("ends with a body that comes late, whatever the route", async () => {
    const hasBody = (route: Route) => isWrite(route) && typeof route.body === "function";
    const outcomes = await askAll("body", hasBody);
    expect(outcomes.filter(({ isRefused, isSame }) => !isRefused || !isSame)).toEqual([]);
  });
});
