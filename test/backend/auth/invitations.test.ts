import { describe, expect, setSystemTime } from "bun:test";
import { createResetCode } from "../../../src/backend/auth/people/invitations.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { joinAs } from "../../support/people.ts";
import { onSqlite, once, test } from "../../support/owner-test.ts";

const EVE = "eve@example.com";
const NEXT = "a longer horse battery";
const DAY_MS = 24 * 60 * 60_000;

async function accept(client: ApiClient, code: string, given: object = {}): Promise<Response> {
  await client.request("/api/token");
  return client.post("/api/invitations/accept", { code, email: EVE, password: NEXT, ...given });
}

async function answerTo(...given: Parameters<typeof accept>): Promise<number> {
  return (await accept(...given)).status;
}

async function invite(owner: ApiClient, json: object = { role: "editor" }) {
  const response = await owner.post("/api/invitations", json);
  expect(response.status).toBe(201);
  const answer = await response.json();
  return { ...answer, code: codeOf(answer) };
}

const codeOf = ({ url }: { url: unknown }) => String(url).split("=").at(-1) ?? "";

async function reset(owner: ApiClient, id: string): Promise<string> {
  return codeOf(await (await owner.post(`/api/people/${id}/reset`)).json());
}

async function stateOf(client: ApiClient): Promise<number> {
  return (await client.request("/api/domains")).status;
}

describe("an invitation", () => {
  once("adds an account once, with its role, and signs in", async (owner) => {
    const { server } = owner;
    const invited = await invite(owner, { role: "viewer", email: " Eve@Example.com" });
    expect(invited).toMatchObject({ email: EVE, role: "viewer", by: OWNER.email, mailed: false });
    expect(invited.url).toBe(`${server.url}home#invitation=${invited.code}`);
    expect(invited.code).toMatch(/^[\w-]{43}$/);
    expect(await dump(server)).not.toContain(invited.code);
    const listed = await owner.json("/api/invitations");
    expect(listed).toMatchObject({ items: [{ id: invited.id, email: EVE, role: "viewer" }] });
    expect(JSON.stringify(listed)).not.toContain(invited.code);

    const eve = server.visitor();
    expect(await answerTo(eve, invited.code, { email: "mallory@example.com" })).toBe(403);
    expect(await answerTo(eve, invited.code, { password: "password1234" })).toBe(400);
    const response = await accept(eve, invited.code, { name: "Eve" });
    expect(response.status).toBe(201);
    const signedIn = { state: "signed-in", email: EVE, name: "Eve", role: "viewer" };
    expect(await response.json()).toMatchObject(signedIn);
    expect(await eve.json("/api/token")).toMatchObject(signedIn);
    expect(await owner.json("/api/invitations")).toEqual({ items: [] });
    expect(await answerTo(server.visitor(), invited.code)).toBe(403);
    const again = { role: "owner", email: EVE };
    expect((await owner.post("/api/invitations", again)).status).toBe(409);
    const { code } = await invite(owner);
    expect(await answerTo(server.visitor(), code)).toBe(409);
  });

  once("limits whom it is for, if it is a viewer's", async (owner) => {
    const limit = { owners: ["Acme"] };
    const refused = { role: "editor", limit };
    expect((await owner.post("/api/invitations", refused)).status).toBe(400);
    const { code } = await invite(owner, { role: "viewer", limit });
    expect(await owner.json("/api/invitations")).toMatchObject({ items: [{ limit }] });
    const eve = owner.server.visitor();
    expect(await (await accept(eve, code)).json()).toMatchObject({ role: "limited" });
    const items = [{ role: "owner" }, { role: "viewer", limit }];
    expect(await owner.json("/api/people")).toMatchObject({ items });
    const audit = JSON.stringify(await owner.json("/api/audit"));
    expect(audit).toContain('"detail":"viewer of Acme"');
  });

  test("is used by one of twenty at once", async (owner) => {
    const { code } = await invite(owner);
    const visitor = owner.server.visitor();
    await visitor.request("/api/token");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const json = { code, email: `eve${at}@example.com`, password: NEXT };
        return visitor.post("/api/invitations/accept", json);
      }),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    for (const status of statuses) expect([201, 403, 429, 503]).toContain(status);
  });

  onSqlite("ends once revoked, after 7 days, and after an hour if printed", async (owner) => {
    const { server } = owner;
    const [revoked, expired] = [await invite(owner), await invite(owner)];
    const printed = await createResetCode(server.databaseUrl);
    const revoke = () => owner.delete(`/api/invitations/${revoked.id}`);
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 404]);
    expect(await answerTo(server.visitor(), revoked.code)).toBe(403);
    expect(await answerTo(server.visitor(), "x".repeat(43))).toBe(403);
    setSystemTime(Date.now() + 60 * 60_000 + 1000);
    const { email } = OWNER;
    expect(await answerTo(server.visitor(), printed.code, { email })).toBe(403);
    setSystemTime(Date.now() + 7 * DAY_MS);
    expect(await answerTo(server.visitor(), expired.code)).toBe(403);
    expect(await owner.json("/api/invitations")).toEqual({ items: [] });
  });

  once("ends with the role of the owner who made it", async (owner) => {
    const { server } = owner;
    const other = await joinAs(server, { email: "bob@example.com", role: "owner" });
    const [invited, kept] = [await invite(other.client), await invite(owner)];
    await owner.patch(`/api/people/${other.id}`, { role: "editor" });
    expect(await answerTo(server.visitor(), invited.code)).toBe(403);
    expect(await answerTo(server.visitor(), kept.code)).toBe(201);
  });

  test("is made by none who is deleted at the same time", async (owner) => {
    const others = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        joinAs(owner.server, { email: `bob${at}@example.com`, role: "owner" }),
      ),
    );
    const json = { role: "owner" };
    await Promise.all(
      others.flatMap(({ id, client }) => [
        owner.delete(`/api/people/${id}`),
        client.post("/api/invitations", json),
      ]),
    );
    expect(await owner.json("/api/invitations")).toEqual({ items: [] });
  });

  once("counts wrong codes as failed sign-ins", async ({ server }) => {
    const visitor = server.visitor();
    for (let at = 0; at < 9; at += 1) expect(await answerTo(visitor, `wrong ${at}`)).toBe(403);
    expect(await answerTo(visitor, "wrong again")).toBe(429);
    expect((await visitor.signIn()).status).toBe(429);
  });

  once("is mailed where a mail server is set up", async () => {
    await using mail = await startMailServer();
    await using server = await startBackend({
      reminders: {
        smtpUrl: `smtp://127.0.0.1:${mail.port}/?tls=off`,
        mailFrom: "freehold@example.com",
        publicUrl: "https://names.example",
      },
    });
    const invited = await invite(await server.owner(), { role: "editor", email: EVE });
    expect(invited.url).toStartWith("https://names.example/home#invitation=");
    expect(invited.mailed).toBe(true);
    const raw = mail.received[0]?.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    expect(raw).toContain(`To: ${EVE}`);
    expect(raw).toContain(`#invitation=${invited.code}`);
  });
});

describe("a link for a new password", () => {
  once("of an owner is for one person, once, and only the last one made", async (owner) => {
    const { server } = owner;
    const { id, client } = await joinAs(server, { email: EVE });
    const [replaced, code] = [await reset(owner, id), await reset(owner, id)];
    const visitor = server.visitor();
    expect(await answerTo(visitor, replaced)).toBe(403);
    expect(await answerTo(visitor, code, { email: OWNER.email })).toBe(403);
    expect(await answerTo(visitor, code)).toBe(200);
    expect([await stateOf(visitor), await stateOf(client)]).toEqual([200, 401]);
    expect(await answerTo(server.visitor(), code)).toBe(403);
    expect(await owner.json("/api/invitations")).toEqual({ items: [] });
    const unused = await reset(owner, id);
    const json = { current: NEXT, next: "yet another long battery" };
    expect((await visitor.put("/api/password", json)).status).toBe(204);
    expect(await answerTo(server.visitor(), unused)).toBe(403);
    const former = await reset(owner, id);
    for (const disabled of [true, false]) await owner.patch(`/api/people/${id}`, { disabled });
    expect(await answerTo(server.visitor(), former)).toBe(403);
  });

  once("of `owner reset` takes an owner's address, and ends all other ways in", async (owner) => {
    const { server } = owner;
    await joinAs(server, { email: EVE });
    const ada = (await owner.json("/api/token")) as { id: string };
    const older = await reset(owner, ada.id);
    const replaced = await createResetCode(server.databaseUrl);
    const { code, owners } = await createResetCode(server.databaseUrl);
    expect(owners).toEqual([OWNER.email]);
    expect(await dump(server)).not.toContain(code);

    const visitor = server.visitor();
    const { email } = OWNER;
    expect(await answerTo(visitor, replaced.code, { email })).toBe(403);
    expect(await answerTo(visitor, code)).toBe(403);
    const response = await accept(visitor, code, { email });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ state: "signed-in", email, role: "owner" });
    expect([await stateOf(visitor), await stateOf(owner)]).toEqual([200, 401]);
    expect(await answerTo(server.visitor(), code, { email })).toBe(403);
    expect(await answerTo(server.visitor(), older, { email })).toBe(403);
    expect((await server.visitor().signIn()).status).toBe(401);
    expect((await server.visitor().signIn(NEXT)).status).toBe(200);
  });

  once("leaves the failures of API tokens counted", async (owner) => {
    const { code } = await invite(owner);
    const guess = async () => {
      const headers = { Authorization: "Bearer fh_guess" };
      return (await owner.server.visitor().request("/api/domains", { headers })).status;
    };
    for (let attempt = 0; attempt < 9; attempt += 1) expect(await guess()).toBe(401);
    expect(await answerTo(owner.server.visitor(), code)).toBe(201);
    expect(await guess()).toBe(429);
  });

  once("helps who is locked out after too many attempts", async ({ server }) => {
    const visitor = server.visitor();
    for (let attempt = 0; attempt < 10; attempt += 1) await visitor.signIn("forgotten");
    expect((await visitor.signIn()).status).toBe(429);
    const { code } = await createResetCode(server.databaseUrl);
    expect(await answerTo(visitor, code, { email: OWNER.email })).toBe(200);
    expect((await server.visitor().signIn(NEXT)).status).toBe(200);
  });
});

/** All that the tables of accounts and settings hold. */
async function dump(server: BackendServer): Promise<string> {
  const rows = await server.read(async (sql) => [
    await sql<unknown[]>`select * from settings`,
    await sql<unknown[]>`select * from invitations`,
    await sql<unknown[]>`select * from audit`,
  ]);
  return JSON.stringify(rows);
}
