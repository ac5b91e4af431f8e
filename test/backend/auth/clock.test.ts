import { describe, expect, setSystemTime, test } from "bun:test";
import { takeChallenge } from "../../../src/backend/auth/factors/challenges.ts";
import { recordFailedSignIn } from "../../../src/backend/audit/audit.ts";
import { createResetCode } from "../../../src/backend/auth/people/invitations.ts";
import { totpCode } from "../../../src/backend/auth/factors/totp.ts";
import { createPreviewRows } from "../../../src/backend/merge/preview-rows.ts";
import { DAY_MS } from "../../../src/shared/day.ts";
import { parseTotpSetUp } from "../../../src/shared/factors.ts";
import { parseReminderSettings } from "../../../src/shared/reminders.ts";
import { OWNER } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { forAll } from "../../support/for-all.ts";
import { onSqlite } from "../../support/owner-test.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";
import { fromBase32 } from "../../support/totp.ts";

const HOUR_MS = 60 * 60_000;

/**
 * An instance on Postgres whose machine's clock is so many hours off while it does what is inside
 * `onWrong`; what is outside of it is done by one whose clock is right.
 */
async function start(hours: number) {
  const { url: databaseUrl, database, ...postgres } = await preparedPostgres();
  const loop = createSteppedLoop();
  const reminders = { publicUrl: "https://register.example" };
  const server = await startBackend({ databaseUrl, instances: 1, loop, reminders });
  return {
    server,
    owner: await server.owner(),
    database,
    loop,
    async onWrong<T>(work: () => Promise<T>): Promise<T> {
      setSystemTime(Date.now() + hours * HOUR_MS);
      return work().finally(() => setSystemTime());
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

const describeEach = describe.skipIf(!hasPostgres).each([[1], [-1]]);

describeEach("an instance whose clock is %d hours off", (hours) => {
  const started = forAll(() => start(hours));

  test("takes the codes of apps that are right", async () => {
    const { server, owner, loop, onWrong } = started();
    const { uri } = parseTotpSetUp(await (await owner.post("/api/factors/totp", {})).json());
    const secret = fromBase32(new URL(uri).searchParams.get("secret") ?? "");
    // Not of the clock that is set.
    const now = () => performance.timeOrigin + performance.now();
    const code = (steps: number) => totpCode(secret, Math.floor(now() / 30_000) + steps);
    const confirm = () => owner.post("/api/factors/totp/confirm", { code: code(0) });
    expect((await onWrong(confirm)).status).toBe(200);
    const visitor = server.visitor();
    expect((await visitor.signIn()).status).toBe(200);
    await onWrong(() => loop.step());
    const late = () => visitor.post("/api/token", { code: code(hours * 120) });
    expect((await onWrong(late)).status).toBe(401);
    const enter = () => visitor.post("/api/token", { code: code(1) });
    expect((await onWrong(enter)).status).toBe(200);
  });

  test("keeps challenges of others, and others its own", async () => {
    const { server, database, loop, onWrong } = started();
    const take = (sessionId: string) => takeChallenge(database, "passkey-sign-in", sessionId);
    const begin = async () => {
      const visitor = server.visitor();
      await visitor.request("/api/token");
      expect((await visitor.post("/api/passkeys/sign-in", {})).status).toBe(200);
      return visitor.cookies.get("freehold-session") ?? "";
    };
    const [right, wrong] = [await begin(), await onWrong(begin)];
    await onWrong(() => loop.step());
    expect(await onWrong(() => take(right))).toHaveProperty("value");
    expect(await take(wrong)).toHaveProperty("value");
    const over = await onWrong(begin);
    const past = new Date(Date.now() - 1000).toISOString();
    await database.write((sql) => sql`update challenges set expires_at = ${past}`);
    expect(await onWrong(() => take(over))).toBeNull();
    await onWrong(() => loop.step());
    expect(await database.read((sql) => sql`select * from challenges`)).toHaveLength(0);
  });

  test("makes links and tokens that end when they say, and reminds when the others would", async () => {
    const { server, owner, loop, onWrong } = started();
    const days = async (path: string, json: object) => {
      const { expiresAt } = await (await onWrong(() => owner.post(path, json))).json();
      return (Date.parse(expiresAt) - Date.now()) / DAY_MS;
    };
    expect(await days("/api/invitations", { role: "editor" })).toBeCloseTo(7, 2);
    expect(await days("/api/tokens", { name: "a", scope: "read" })).toBeCloseTo(365, 2);
    const put = () => owner.put("/api/reminders", {});
    const { nextAt } = await (await put()).json();
    expect(await (await onWrong(put)).json()).toMatchObject({ nextAt });
    const { code } = await onWrong(() => createResetCode(server.databaseUrl));
    await onWrong(() => loop.step());
    const state = parseReminderSettings(await owner.json("/api/reminders"));
    expect(state.nextAt).toBe(nextAt);
    expect(Math.abs(Date.parse(state.lastEvaluatedAt ?? "") - Date.now())).toBeLessThan(60_000);

    const visitor = server.visitor();
    await visitor.request("/api/token");
    const json = { code, email: OWNER.email, password: "a longer horse battery" };
    expect((await visitor.post("/api/invitations/accept", json)).status).toBeLessThan(300);
  });

  test("locks as long as the others, and sweeps no sooner", async () => {
    const { server, database, loop, onWrong } = started();
    const client = server.visitor();
    const guess = () => client.signIn("not the password");
    for (let attempt = 0; attempt < 5; attempt += 1) await guess();
    for (let attempt = 0; attempt < 5; attempt += 1) await onWrong(guess);
    await database.write(createPreviewRows);
    await onWrong(() => loop.step());
    for (const answer of [await client.signIn(), await onWrong(() => client.signIn())]) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get("retry-after")) / 60).toBeCloseTo(15, 0);
    }
    const count = (table: string) => database.read((sql) => sql`select * from ${sql(table)}`);
    expect(await count("import_stagings")).toHaveLength(1);
    const failed = await database.read(
      (sql) => sql<{ at: string }[]>`select at from audit where action = 'sign-in-failed'`,
    );
    for (const { at } of failed) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
  });
});

onSqlite("a clock that was a year ahead leaves no session, lock or silence", async (owner) => {
  const { server } = owner;
  const ahead = <T>(work: () => Promise<T>) => {
    setSystemTime(Date.now() + 365 * DAY_MS);
    return work().finally(() => setSystemTime());
  };
  const early = server.visitor();
  expect((await ahead(() => early.signIn())).status).toBe(200);
  expect((await early.request("/api/domains")).status).toBe(401);

  const visitor = server.visitor();
  await ahead(async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await visitor.signIn("not the password");
  });
  expect((await visitor.signIn()).status).toBe(200);

  const database = await server.openDatabase();
  const proof = new Date(Date.now() + HOUR_MS).toISOString();
  await database.write((sql) => sql`update sessions set proved_at = ${proof}`);
  expect((await visitor.post("/api/invitations", { role: "editor" })).status).toBe(403);

  const fail = (times: number) =>
    database.write(async (sql) => {
      const failure = { subject: "x", address: "127.0.0.1" };
      for (let time = 0; time < times; time += 1) await recordFailedSignIn(sql, failure);
    });
  await ahead(() => fail(200));
  await fail(1);
  const now = new Date(Date.now() + HOUR_MS).toISOString();
  const recorded = await database.read(
    (sql) => sql`select 1 from audit where action = 'sign-in-failed' and at < ${now}`,
  );
  expect(recorded).toHaveLength(1);
});
