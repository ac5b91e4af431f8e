import { describe, expect } from "bun:test";
import { TABLES } from "../../src/backend/backup/backup.ts";
import { OWNER } from "../support/api-client.ts";
import { type BackendServer, startBackend } from "../support/backend-server.ts";
import { databaseKind, type DatabaseKind, test } from "../support/both-databases.ts";
import { PREPARE, type FilledRegister, type ReadyRequest } from "../support/every-request.ts";
import { CREDENTIALS_KEY, fillAccounts } from "../support/fill-accounts.ts";
import { fillRegister } from "../support/fill-register.ts";
import { joinAs } from "../support/people.ts";
import { createSteppedLoop } from "../support/stepped-loop.ts";

const NAMES = 24;
/** How often both sides begin at once: which comes first is up to the machine. By hand more. */
const RACES = Number(process.env["RACES"] ?? 1);
const TIMEOUT = 120_000;

/** What the other side asks for, where the same request twice would not show that one of both is lost. */
const OTHERS: Readonly<Record<string, object>> = {
  "PATCH /api/people/:id": { disabled: true },
  "PATCH /api/profile": { name: "Countess" },
  "PUT /api/reminders": { quietDays: [6, 7] },
  "PUT /api/checks": { on: true },
  "PATCH /api/channels/:id": { name: "Other" },
  "PATCH /api/accounts/:id": { state: "paused" },
  "POST /api/accounts/:id/answer": { shrunken: "wait" },
  "PATCH /api/domains/:id": { owner: "Other" },
  "PUT /api/domains/:id/handled": { until: "2098-01-01" },
  "PATCH /api/settings": { leadDays: 50 },
  "PATCH /api/registrars/:key": { loginUrl: "https://registrar.example" },
  "PATCH /api/views/:id": { name: "Other" },
  "PATCH /api/imports/:id": { defaults: { registrar: "Porkbun" } },
  "PATCH /api/imports/:id/rows": { skip: { ids: ["000000000001"] }, skipped: false },
};

/** Every row of every table, without what differs in each run: ids, times, secrets. */
async function readState({ read }: BackendServer): Promise<string[]> {
  const texts = await read(async (sql) => {
    const found: string[] = [];
    for (const table of TABLES) {
      const rows = await sql<object[]>`select * from ${sql(table)}`;
      found.push(...rows.map((row) => `${table} ${blur(row)}`));
    }
    return found;
  });
  // A code that was right when it was looked up is no failed guess for who comes second.
  return texts.filter((text) => !text.includes('"sign-in-failed"')).toSorted();
}

function blur(row: object): string {
  const text = JSON.stringify(row, (_, value) =>
    value instanceof Uint8Array || typeof value === "bigint"
      ? String(value.toString().length)
      : value,
  );
  return (
    text
      // What one of both does in two transactions may be begun by one and ended by the other.
      .replaceAll("other@example.com", OWNER.email)
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "#")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "@")
      // The step of a code from an app lasts 30 s, which may end between two runs.
      .replaceAll(/"last_step":"?[1-9]\d*"?/g, '"last_step":"@"')
      .replaceAll(/\$argon2id\$[^"]*|whsec_[^"\\]*|[\w-]{20,}/g, "*")
  );
}

type Way = "one after the other" | "the other first" | "at once" | "the other alone";

/** Takes so long that who comes second is told so, with 409, as one who did not see the first. */
const OPTIMISTIC = "PATCH /api/imports/:id";

const OPTIONS = {
  credentialsKey: CREDENTIALS_KEY,
  reminders: { allow: ["127.0.0.1/32"] },
  instances: 2,
};

/** The register that all begin with, and the cookies of both sides; made once on each database. */
const begun = new Map<DatabaseKind, ReturnType<typeof begin>>();

async function begin() {
  await using server = await startBackend({ ...OPTIONS, loop: createSteppedLoop() });
  const owner = await server.owner();
  const database = await server.openDatabase();
  await fillRegister(database, NAMES);
  await fillAccounts(database, { accounts: 2, people: 2, extra: 3 });
  const { client } = await joinAs(server, { email: "other@example.com", role: "owner" });
  return { like: await server.copy(), sides: [owner, client].map(({ cookies }) => cookies) };
}

/** What two sides get who ask for the same, and what the register is afterwards. */
async function run(name: string, way: Way) {
  const { like, sides } = await begun.getOrInsertComputed(databaseKind(), begin);
  await using server = await startBackend({ ...OPTIONS, loop: createSteppedLoop(), like });
  const { url, read, write, visitor } = server;
  const [owner, other] = sides.map((cookies) => {
    const client = visitor();
    for (const [key, value] of cookies) client.cookies.set(key, value);
    return client;
  });
  if (owner === undefined || other === undefined) throw new Error("Expected both sides");
  // However long it is since all began.
  const now = new Date().toISOString();
  await write((sql) => sql`update sessions set proved_at = ${now}`);
  const register: FilledRegister = { url, read, write, visitor, owner, names: NAMES };
  const request = (await PREPARE[name]?.(register)) ?? { path: "" };
  const [method = ""] = name.split(" ");
  const send = async ({ path, client = owner, ...given }: ReadyRequest) => {
    const response = await client.request(path, { method, ...given });
    await response.arrayBuffer();
    return response.status;
  };
  const json = OTHERS[name] ?? request.json;
  const one = () => send(request);
  const two = () => send({ client: other, ...request, ...(json !== undefined && { json }) });
  let statuses: number[];
  if (way === "at once") statuses = await Promise.all([one(), two()]);
  else if (way === "one after the other") statuses = [await one(), await two()];
  else if (way === "the other alone") statuses = [409, await two()];
  else statuses = [await two(), await one()].toReversed();
  return { statuses, state: await readState(server) };
}

const WRITING = Object.keys(PREPARE).filter((name) => !name.startsWith("GET "));

describe("Two sides at once", () => {
  test.each(WRITING)(
    "are answered as one after the other: %s",
    async (name) => {
      const first = await run(name, "one after the other");
      // Each costs a register of its own: what is the same as the first needs no other.
      const others = [
        () => run(name, "the other first"),
        ...(name === OPTIMISTIC ? [() => run(name, "the other alone")] : []),
      ];
      const either = [first];
      for (let race = 0; race < RACES; race += 1) {
        const both = await run(name, "at once");
        const isKnown = () => either.some((each) => Bun.deepEquals(each, both));
        for (const other of isKnown() ? [] : others.splice(0)) {
          const ended = await other();
          // Who came second was told so.
          if (name === OPTIMISTIC) either.push({ ...ended, statuses: [200, 409] });
          either.push(ended);
        }
        // Says what differs from the first.
        if (!isKnown()) expect(both).toEqual(first);
      }
    },
    TIMEOUT,
  );
});
