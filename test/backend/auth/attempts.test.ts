import { describe, expect, setSystemTime } from "bun:test";
import { createAttempts } from "../../../src/backend/auth/tokens/attempts.ts";
import { RequestError } from "../../../src/backend/http/request-error.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { type BackendServer, startBackend } from "../../support/backend-server.ts";
import { joinAs } from "../../support/people.ts";
import { onSqlite, once, test } from "../../support/owner-test.ts";

async function attemptsAt(server: BackendServer) {
  const database = await server.openDatabase();
  return { database, attempts: createAttempts(database) };
}

/** What so many attempts at once with a wrong password are answered, at each client in turn. */
async function attack(clients: readonly ApiClient[], attempts: number) {
  for (const client of clients) await client.request("/api/token");
  const json = { email: OWNER.email, password: "not the password" };
  const answers = Array.from({ length: attempts }, async (_, index) => {
    const client = clients[index % clients.length];
    return (await client?.post("/api/token", json))?.status;
  });
  return Object.groupBy(await Promise.all(answers), (status) => String(status));
}

describe("failed sign-ins", () => {
  test("are limited to ten, however many come at once to however many instances", async (ada) => {
    const { server: first } = ada;
    await using second = await startBackend({ databaseUrl: first.databaseUrl });
    const { 401: refused = [], ...rest } = await attack([first.visitor(), second.visitor()], 30);
    // The tenth is examined too, and then answered with 429.
    expect(refused.length).toBeLessThan(10);
    expect(Object.keys(rest).filter((status) => status !== "503")).toEqual(["429"]);
    for (const server of [first, second]) {
      const right = await server.visitor().signIn();
      expect([right.status, Number(right.headers.get("retry-after")) > 840]).toEqual([429, true]);
    }
  });

  test("are of addresses, of which IPv6 has one for each /64, and end by themselves", async () => {
    await using server = await startBackend();
    const { database, attempts } = await attemptsAt(server);
    const fail = (address: string): Promise<number> =>
      attempts.failToken(address, "Wrong").catch((error: RequestError) => error.status);
    const ten = await Promise.all(Array.from({ length: 10 }, () => fail("2001:db8:1:2::1")));
    expect(ten.filter((status) => status === 429)).toHaveLength(1);
    expect(await fail("2001:db8:1:2:ffff::9")).toBe(429);
    expect(await fail("2001:db8:1:3::1")).toBe(401);
    await database.write((sql) => sql`update failed_sign_ins set ends_at = ends_at - 900000`);
    expect(await fail("2001:db8:1:2::1")).toBe(401);
    await attempts.sweep();
    const left = await database.read((sql) => sql`select address, attempts from failed_sign_ins`);
    expect([...left]).toEqual([{ address: "tokens of 2001:db8:1:2", attempts: 1 }]);
  });

  test("are not those of others who are signing in at the same moment", async () => {
    await using server = await startBackend();
    const { database, attempts } = await attemptsAt(server);
    const { promise: examined, resolve: examine } = Promise.withResolvers<void>();
    const signIn = (name: number) =>
      attempts
        .limit("127.0.0.1", `p${name}@example.com`, () => examined)
        .then(() => 200)
        .catch(({ status }: RequestError) => status);
    const first = Array.from({ length: 10 }, (_, name) => signIn(name));
    const count = () =>
      database.read((sql) => sql<{ attempts: number }[]>`select attempts from failed_sign_ins`);
    while ((await count())[0]?.attempts !== 10) await Bun.sleep(1);
    expect(await signIn(11)).toBe(503);
    examine();
    expect(new Set(await Promise.all(first))).toEqual(new Set([200]));
    expect(await signIn(11)).toBe(200);
  });

  test("are remembered of ten thousand addresses", async () => {
    await using server = await startBackend();
    const { database, attempts } = await attemptsAt(server);
    const first = Date.now() + 600_000;
    await database.write(
      (sql) => sql`insert into failed_sign_ins (address, account, attempts, ends_at)
        with recursive numbers (n) as (
          select 0 union all select n + 1 from numbers where n < 10004
        )
        select 'a' || n, '', 10, ${first} + n from numbers`,
    );
    await attempts.failToken("192.0.2.1", "Wrong").catch(() => undefined);
    const [kept] = await database.read(
      (sql) => sql`select count(*) as count, min(ends_at) as first from failed_sign_ins`,
    );
    expect([Number(kept.count), Number(kept.first)]).toEqual([10_000, first + 6]);
  });

  once("are forgotten when somebody signs in, but for those of another account", async (client) => {
    // An unknown person costs a hash of the real cost.
    await joinAs(client.server, { email: "grace@example.com" });
    const guess = async (email: string, password = "wrong") =>
      (await client.post("/api/token", { email, password })).status;
    for (let attempt = 0; attempt < 9; attempt += 1) await guess(OWNER.email);
    expect(await guess(OWNER.email, OWNER.password)).toBe(200);
    for (let attempt = 0; attempt < 8; attempt += 1) await guess("grace@example.com");
    expect(await guess(OWNER.email, OWNER.password)).toBe(200);
    expect(await guess("grace@example.com")).toBe(401);
    expect(await guess("grace@example.com")).toBe(429);
  });

  onSqlite("refuse even the right password for 15 minutes, and say so", async ({ server }) => {
    const client = server.visitor();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await client.signIn("wrong")).status).toBe(attempt < 9 ? 401 : 429);
    }
    const right = await client.signIn();
    expect([right.status, Number(right.headers.get("retry-after")) > 840]).toEqual([429, true]);
    expect((await right.json()).detail).toEndWith("Try again in 15 minutes.");
    setSystemTime(Date.now() + 15 * 60_000);
    expect((await client.signIn()).status).toBe(200);
  });

  once("write nothing where the address is locked, nor what is not examined", async () => {
    await using server = await startBackend();
    const { database, attempts } = await attemptsAt(server);
    const counted = () =>
      database.read(async (sql) => [...(await sql<unknown[]>`select * from failed_sign_ins`)]);
    const failing = attempts.limit("192.0.2.1", "ada", () => Promise.reject(new Error("Down")));
    await expect(failing).rejects.toThrow("Down");
    expect(await counted()).toMatchObject([{ attempts: 0 }]);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const wrong = () => Promise.reject(new RequestError(401, "Wrong"));
      await attempts.limit("192.0.2.1", "ada", wrong).catch(() => undefined);
    }
    const before = await counted();
    const limited = attempts.limit("192.0.2.1", "ada", () => Promise.resolve());
    await expect(limited).rejects.toMatchObject({ status: 429 });
    expect(await counted()).toEqual(before);
  });
});
