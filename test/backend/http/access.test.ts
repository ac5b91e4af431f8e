import { afterAll, describe, expect, test } from "bun:test";
import type { Route } from "../../../src/backend/http/route.ts";
import { rightsOf, ROLES, TOKEN_PATH } from "../../../src/shared/session.ts";
import { parseCreatedToken, type TokenScope } from "../../../src/shared/tokens.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { joinAs } from "../../support/people.ts";

/** One server for all routes, where each request has an address of its own: failures lock none. */
let requests = 0;
const peer = {
  get address() {
    requests += 1;
    return `10.0.${requests >> 8}.${requests & 255}`;
  },
};
const server = await startBackend({ peer });
await server.owner();
const identities = await createIdentities();
afterAll(() => server[Symbol.asyncDispose]());

/** In the place of `:id`. */
const nobodysId = crypto.randomUUID();
const all = server.backend.routes.map((each) => [`${each.method} ${each.path}`, each] as const);

/** Who asks, and whether a route is for them: 200, or the status of the problem. */
interface Identity {
  who: string;
  client: ApiClient;
  headers?: Record<string, string>;
  isAllowed: (route: Route) => number;
}

/** Everyone who may come, each as a person of their own. */
async function createIdentities(): Promise<Identity[]> {
  const nobody = ({ role }: Route) => (role === "public" ? 200 : 401);
  const stranger = server.visitor();
  await stranger.request(TOKEN_PATH);
  const found: Identity[] = [{ who: "nobody", client: stranger, isAllowed: nobody }];
  for (const role of ROLES) {
    const limit = role === "limited" && { limit: { owners: ["Acme"] } };
    const person = { role: role === "limited" ? "viewer" : role, ...limit } as const;
    const { client } = await joinAs(server, { email: `${role}@example.org`, ...person });
    const ofRole = (given: Route) => (rightsOf(role).includes(given.role) ? 200 : 403);
    found.push({ who: role, client, isAllowed: ofRole });
    for (const scope of ["read", "write"] as const) {
      if (person.role === "viewer" && scope === "write") continue;
      const headers = await authorize(client, scope);
      const isAllowed = (given: Route) => {
        const isRefused = scope === "read" && given.method !== "GET";
        return given.access !== undefined || isRefused ? 403 : ofRole(given);
      };
      const who = `${role} by a ${scope} token`;
      found.push({ who, client: server.visitor(), headers, isAllowed });
    }
  }
  const email = "disabled@example.org";
  const { id, client } = await joinAs(server, { email, role: "owner" });
  const headers = await authorize(client, "write");
  await server.write((sql) => sql`update users set disabled = 1 where id = ${id}`);
  const ended = await joinAs(server, { email: "ended@example.org", role: "owner" });
  const cookies = new Map(ended.client.cookies);
  await ended.client.delete(TOKEN_PATH);
  for (const [name, value] of cookies) ended.client.cookies.set(name, value);
  return [
    ...found,
    { who: "an ended session", client: ended.client, isAllowed: nobody },
    { who: "disabled", client, isAllowed: nobody },
    { who: "disabled by a write token", client: server.visitor(), headers, isAllowed: () => 401 },
  ];
}

/** The header of a new token of somebody. */
async function authorize(client: ApiClient, scope: TokenScope): Promise<Record<string, string>> {
  const response = await client.post("/api/tokens", { name: "Script", scope });
  const { token } = parseCreatedToken(await response.json());
  return { Authorization: `Bearer ${token}` };
}

const PROVED = `PUT /api/mail-server, DELETE /api/mail-server, POST /api/channels,
  PATCH /api/channels/:id, POST /api/calendars, POST /api/accounts, PATCH /api/accounts/:id,
  PATCH /api/people/:id, POST /api/invitations, POST /api/tokens, PUT /api/sign-in`;

describe("the table of routes", () => {
  test("asks for a recent proof of what gives power, or moves secrets", () => {
    const proved = all.filter(([, { access }]) => access === "proof").map(([name]) => name);
    expect(proved).toEqual(expect.arrayContaining(PROVED.split(/,\s+/)));
  });

  test.each(all)("%s lets in whom it is for, and nobody else", async (_, given) => {
    const { method, path, body } = given;
    for (const { who, client, headers = {}, isAllowed } of identities) {
      // It would end the session that the next routes are asked with.
      if (method === "DELETE" && path === TOKEN_PATH && !who.endsWith("token")) continue;
      // A body that no route reads: nothing is changed by it.
      const request = body === undefined ? { headers } : { headers, body: "x" };
      const target = path.replace(/:(\w+)/, (__, name) => (name === "id" ? nobodysId : "nothing"));
      const { status } = await client.request(target, { method, ...request });
      const outcome = [401, 403].includes(status) ? status : 200;
      expect([who, outcome]).toEqual([who, isAllowed(given)]);
    }
  });
});
