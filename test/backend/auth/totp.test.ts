import { describe, expect, test as once } from "bun:test";
import { createResetCode } from "../../../src/backend/auth/people/invitations.ts";
import { totpCode } from "../../../src/backend/auth/factors/totp.ts";
import { parseRecoveryCodes, parseTotpSetUp } from "../../../src/shared/factors.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { onSqlite, test } from "../../support/both-databases.ts";
import { fromBase32 } from "../../support/totp.ts";

const STEP_MS = 30_000;

/** A clock that stands still until it is moved. */
function createClock() {
  let at = Date.parse("2031-05-01T12:00:10Z");
  return { clock: () => new Date(at), move: (ms: number) => void (at += ms), now: () => at };
}

/** Sets an app up; `code` is what it shows so many steps from now. */
async function setUpApp(client: ApiClient, { now }: ReturnType<typeof createClock>) {
  const { uri } = parseTotpSetUp(await client.json("/api/factors/totp", { method: "POST" }));
  const secret = fromBase32(new URL(uri).searchParams.get("secret") ?? "");
  const code = (steps = 0) => totpCode(secret, Math.floor(now() / STEP_MS) + steps);
  const confirmed = await client.post("/api/factors/totp/confirm", { code: code() });
  const { recoveryCodes } = parseRecoveryCodes(await confirmed.json());
  return { uri, code, recoveryCodes };
}

/** A register whose owner has an app; its clock stands still. */
async function startWithApp(options: Parameters<typeof startBackend>[0] = {}) {
  const time = createClock();
  const server = await startBackend({ clock: time.clock, ...options });
  const owner = await server.owner();
  const app = await setUpApp(owner, time);
  const end = () => server[Symbol.asyncDispose]();
  return { server, owner, time, ...app, [Symbol.asyncDispose]: end };
}

async function enterPassword(server: BackendServer) {
  const visitor = server.visitor();
  const answer = await visitor.signIn();
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ state: "signed-out", factors: ["totp", "recovery"] });
  return visitor;
}

const statusOf = async (client: ApiClient, code: string | undefined) =>
  (await client.post("/api/token", { code })).status;

const stateOf = (client: ApiClient) => client.json("/api/token");

const idOf = async (client: ApiClient): Promise<string> => Object(await stateOf(client)).id;

once("totpCode makes the codes of RFC 6238, appendix B", () => {
  const secret = new TextEncoder().encode("12345678901234567890");
  const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map((at) =>
    totpCode(secret, Math.floor(at / 30)),
  );
  expect(codes).toEqual(["287082", "081804", "050471", "005924", "279037", "353130"]);
});

describe("an authenticator app", () => {
  once("is asked for after the password, and each of its steps signs in once", async () => {
    await using place = await startWithApp({ brand: "Names & Co" });
    const { server, owner, time, uri, code, recoveryCodes } = place;
    expect(uri).toStartWith(`otpauth://totp/Names%20%26%20Co%3Aada%40example.com?secret=`);
    expect(new URL(uri).searchParams.get("issuer")).toBe("Names & Co");
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await stateOf(owner)).toMatchObject({ state: "signed-in", factors: ["totp"] });

    const visitor = await enterPassword(server);
    expect(await stateOf(visitor)).toEqual({ state: "signed-out", factors: ["totp", "recovery"] });
    expect((await visitor.request("/api/domains")).status).toBe(401);
    // The step that confirmed the app was used by that, and two steps from now is too early.
    for (const wrong of [code(), code(2), code(-2), "nonsense"]) {
      expect(await statusOf(visitor, wrong)).toBe(401);
    }
    const before = visitor.cookies.get("freehold-session");
    const signedIn = await visitor.post("/api/token", { code: code(1).replace(/^.../, "$& ") });
    expect(await signedIn.json()).toMatchObject({ state: "signed-in", factors: ["totp"] });
    expect(visitor.cookies.get("freehold-session")).not.toBe(before);
    const [replayed, later] = [await enterPassword(server), await enterPassword(server)];
    expect(await statusOf(replayed, code(1))).toBe(401);
    time.move(2 * STEP_MS);
    expect(await statusOf(later, code(-2))).toBe(401);
    expect(await statusOf(later, code())).toBe(200);
  });

  test("lets one of many in that use a code at once, and one code for each password", async () => {
    await using place = await startWithApp();
    const { server, code, recoveryCodes } = place;
    for (const [each, kind] of [
      [code(1), "code"],
      [recoveryCodes[9]?.toLowerCase().replaceAll("-", " ") ?? "", "recovery code"],
    ] as const) {
      const visitors = await Promise.all(Array.from({ length: 3 }, () => enterPassword(server)));
      const statuses = await Promise.all(visitors.map((visitor) => statusOf(visitor, each)));
      expect([kind, ...statuses.toSorted()]).toEqual([kind, 200, 401, 401]);
    }
    const owner = await enterPassword(server);
    const enter = (given: string) => statusOf(owner, given);
    const statuses = await Promise.all(recoveryCodes.slice(0, 4).map(enter));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
    expect(await owner.json("/api/factors")).toMatchObject({ totp: true, recoveryCodesLeft: 8 });
  });

  once("waits 5 minutes for the code, from the browser that gave the password", async () => {
    await using place = await startWithApp();
    const { server, time, code, recoveryCodes } = place;
    const other = server.visitor();
    await enterPassword(server);
    await other.request("/api/token");
    expect(await statusOf(other, code(1))).toBe(401);
    const visitor = await enterPassword(server);
    // By the clock of the database: that of another instance may be wrong.
    time.move(60 * 60_000);
    expect(await stateOf(visitor)).toMatchObject({ factors: ["totp", "recovery"] });
    const [waiting] = await server.read(
      (sql) => sql<{ until: string }[]>`select max(expires_at) as until from challenges`,
    );
    const lapsed = new Date(Date.parse(waiting?.until ?? "") - 5 * 60_000).toISOString();
    await server.write((sql) => sql`update challenges set expires_at = ${lapsed}`);
    expect(await stateOf(visitor)).toEqual({ state: "signed-out" });
    expect(await statusOf(visitor, recoveryCodes[0])).toBe(401);
  });

  once("locks the address that guesses codes, right passwords or not, and the person", async () => {
    const peer = { address: "192.0.2.1" };
    await using place = await startWithApp({ peer });
    const { server, code } = place;
    const enter = async (given = "000000") => statusOf(await enterPassword(server), given);
    for (let attempt = 0; attempt < 9; attempt += 1) expect(await enter()).toBe(401);
    expect((await server.visitor().signIn("wrong")).status).toBe(429);
    peer.address = "192.0.2.2";
    expect(await enter()).toBe(429);
    peer.address = "192.0.2.3";
    expect(await enter(code(1))).toBe(429);
  });

  once("is set up once, confirmed by a code, and removed, for another person too", async () => {
    const time = createClock();
    await using server = await startBackend({ clock: time.clock });
    const owner = await server.owner();
    const confirm = (code: unknown) => owner.post("/api/factors/totp/confirm", { code });
    expect((await confirm("123456")).status).toBe(409);
    expect((await owner.delete("/api/factors/totp")).status).toBe(404);
    await owner.post("/api/factors/totp");
    // Without a confirmation nobody is locked out by an app that was never scanned.
    expect(await stateOf(owner)).not.toHaveProperty("factors");
    expect((await server.visitor().signIn()).status).toBe(200);
    const wrong = await (await confirm("000000")).json();
    expect(wrong).toMatchObject({ status: 400, errors: [{ pointer: "/code" }] });
    const { code } = await setUpApp(owner, time);
    expect((await owner.post("/api/factors/totp")).status).toBe(409);
    expect((await confirm(code(1))).status).toBe(409);
    expect((await owner.delete("/api/factors/totp")).status).toBe(204);
    expect(await (await server.visitor().signIn()).json()).toMatchObject({ state: "signed-in" });
    const actions = JSON.stringify(await owner.json("/api/audit"));
    for (const action of ["factor-added", "factor-removed"]) expect(actions).toContain(action);
    expect(actions).not.toContain(code(1));
    await setUpApp(owner, time);
    await enterPassword(server);
    const remove = (id: string) => owner.delete(`/api/people/${id}/factors`);
    expect((await remove(crypto.randomUUID())).status).toBe(404);
    expect((await remove(await idOf(owner))).status).toBe(204);
    expect(await (await server.visitor().signIn()).json()).toMatchObject({ state: "signed-in" });
  });

  onSqlite("is encrypted where there is a key, which recovery codes outlive", async () => {
    await using place = await startWithApp();
    const { server, recoveryCodes, code, uri } = place;
    const rows = await server.read((sql) => sql<{ secret: string }[]>`select secret from totp`);
    const secret = fromBase32(new URL(uri).searchParams.get("secret") ?? "");
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString("base64url"));
    await server.write((sql) => sql`update totp set secret = ${"deadbeef.AAAA"}`);
    const visitor = await enterPassword(server);
    expect(await statusOf(visitor, code(1))).toBe(409);
    expect(await statusOf(visitor, recoveryCodes[0])).toBe(200);
  });

  once("outlives a password set by an owner's link, but not by `owner reset`", async () => {
    await using place = await startWithApp();
    const { server, owner } = place;
    const id = await idOf(owner);
    const { email } = OWNER;
    const accept = async (code: string) => {
      const visitor = server.visitor();
      await visitor.request("/api/token");
      const json = { code, email, password: "another horse battery" };
      return (await visitor.post("/api/invitations/accept", json)).json();
    };
    const made = JSON.stringify(await (await owner.post(`/api/people/${id}/reset`)).json());
    const code = /#reset=([\w-]+)/.exec(made)?.[1] ?? "";
    expect(await accept(code)).toEqual({ state: "signed-out", factors: ["totp", "recovery"] });
    const printed = await createResetCode(server.databaseUrl);
    const signedIn = await accept(printed.code);
    expect(signedIn).toMatchObject({ state: "signed-in" });
    expect(signedIn).not.toHaveProperty("factors");
  });
});
