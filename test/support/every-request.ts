import { createSigner, readChannels } from "../../src/backend/reminders/channel-store.ts";
import { totpCode } from "../../src/backend/auth/factors/totp.ts";
import { readColumn } from "../../src/backend/database/database.ts";
import { isRecord } from "../../src/shared/parse.ts";
import type { AccountRole } from "../../src/shared/session.ts";
import { type ApiClient, type ApiRequest, OWNER } from "./api-client.ts";
import type { BackendServer } from "./backend-server.ts";
import { previewOf, uploadFile } from "./import-client.ts";
import { importTable } from "./import-table.ts";
import { joinAs } from "./people.ts";
import { fromBase32 } from "./totp.ts";

/** A server with domains, accounts and people, and its owner. */
export interface FilledRegister extends Pick<BackendServer, "url" | "read" | "write" | "visitor"> {
  owner: ApiClient;
  /** How many names the register has. */
  names: number;
}

/** A request that is ready to be sent, by the owner unless it says by whom. */
export interface ReadyRequest extends ApiRequest {
  path: string;
  client?: ApiClient;
}

type Prepare = (register: FilledRegister) => Promise<ReadyRequest> | ReadyRequest;

const IMPORT_HEADERS = () => ({ "Idempotency-Key": crypto.randomUUID() });

/** A day that no test reaches. */
export const LATER = "2099-01-01";

const EDIT = { kind: "edit", addTags: ["new"] };

/** What needs no preparation. */
const READ = `
  /api/people /api/invitations /api/token /api/sessions /api/factors /api/passkeys
  /api/oidc/start /api/oidc/callback /api/tokens /api/audit /api/checks /api/reminders
  /api/channels /api/mail-server /api/deliveries /api/calendars /api/registrar-apis
  /api/accounts /api/domains.csv /api/domains/cost /api/people/names /api/facets /api/settings
  /api/registrars /api/views /api/imports /api/imports/template.csv /api/openapi.json /api`;

/** What prepares a request of every route, which then does what the route is for, where it can. */
export const PREPARE: Readonly<Record<string, Prepare>> = {
  ...Object.fromEntries(READ.match(/\S+/g)?.map((path) => [`GET ${path}`, at(path)]) ?? []),
  "PATCH /api/people/:id": ofPerson("", { role: "viewer" }),
  "DELETE /api/people/:id/sessions": ofPerson("/sessions"),
  "PATCH /api/profile": at("/api/profile", { name: "Ada" }),
  "POST /api/invitations": at("/api/invitations", { role: "viewer", email: "new@example.com" }),
  "DELETE /api/invitations/:id": ofNew("/api/invitations", { role: "viewer" }),
  "POST /api/people/:id/reset": ofPerson("/reset"),
  "POST /api/invitations/accept": async (to) => {
    const { url } = await post(to, "/api/invitations", { role: "viewer" });
    const code = String(url).split("=").at(-1);
    const json = { code, email: `${crypto.randomUUID()}@example.com`, password: OWNER.password };
    return { path: "/api/invitations/accept", json, client: await stranger(to) };
  },
  "POST /api/token": byStranger("/api/token", OWNER),
  "DELETE /api/token": byViewer("/api/token"),
  "POST /api/token/prove": at("/api/token/prove", { password: OWNER.password }),
  "PUT /api/password": byViewer("/api/password", {
    current: OWNER.password,
    next: "another correct horse",
  }),
  "PUT /api/email": (to) => {
    const json = { email: `${crypto.randomUUID()}@example.com`, password: OWNER.password };
    return byViewer("/api/email", json)(to);
  },
  "DELETE /api/sessions": at("/api/sessions"),
  "DELETE /api/sessions/:id": async (to) => {
    await (await stranger(to)).signIn();
    const { items } = await get(to, "/api/sessions");
    const other = items.find((each: { current: boolean }) => !each.current);
    return { path: `/api/sessions/${other?.id}` };
  },
  "POST /api/factors/totp": byViewer("/api/factors/totp"),
  "POST /api/factors/totp/confirm": async (to) => {
    const { client } = await join(to, "viewer");
    return { path: "/api/factors/totp/confirm", json: { code: await startTotp(client) }, client };
  },
  "DELETE /api/factors/totp": async (to) => {
    const { client } = await joinWithApp(to);
    return { path: "/api/factors/totp", client };
  },
  "DELETE /api/people/:id/factors": async (to) => ({
    path: `/api/people/${(await joinWithApp(to)).id}/factors`,
  }),
  "POST /api/passkeys": at("/api/passkeys"),
  // What only a browser can send is refused.
  "POST /api/passkeys/confirm": at("/api/passkeys/confirm", {}),
  "POST /api/passkeys/sign-in": byStranger("/api/passkeys/sign-in"),
  "DELETE /api/passkeys/:id": at(`/api/passkeys/${crypto.randomUUID()}`),
  // There is no provider.
  "POST /api/oidc/link": at("/api/oidc/link"),
  "DELETE /api/oidc/link": at("/api/oidc/link"),
  "PUT /api/sign-in": at("/api/sign-in", { passwords: true }),
  "POST /api/tokens": at("/api/tokens", { name: "Script", scope: "write" }),
  "DELETE /api/tokens/:id": ofNew("/api/tokens", { name: "Other", scope: "read" }),
  "POST /api/upload/post": ({ names }) => {
    const body = new FormData();
    body.append("file", new Blob([importTable(names)]), "domains.csv");
    return { path: "/api/upload/post", body };
  },
  "PUT /api/checks": at("/api/checks", { on: false }),
  "POST /api/domains/:id/check": ofDomain("/check", {}),
  "PUT /api/reminders": at("/api/reminders", { hour: 7 }),
  "GET /api/reminders/preview": async (to) => ({
    path: `/api/reminders/preview?channel=${await addChannel(to)}`,
  }),
  "POST /api/channels": at("/api/channels", channel("New")),
  "PATCH /api/channels/:id": ofChannel("", { rhythm: "weekly" }),
  "DELETE /api/channels/:id": ofChannel(""),
  "POST /api/channels/:id/test": ofChannel("/test"),
  // No mail server answers there.
  "PUT /api/mail-server": at("/api/mail-server", {
    host: "127.0.0.1",
    port: 1,
    tls: "off",
    user: null,
    sender: OWNER.email,
    testTo: OWNER.email,
  }),
  "DELETE /api/mail-server": at("/api/mail-server"),
  "POST /api/deliveries/:id/retry": async (to) => {
    const id = Bun.randomUUIDv7();
    const row = {
      id,
      channel_id: await addChannel(to),
      delivery_key: id,
      type: "test",
      payload: "{}",
      state: "dead",
      priority: 0,
      attempts: 9,
      created_at: new Date().toISOString(),
    };
    await to.write((sql) => sql`insert into deliveries ${sql(row)}`);
    return { path: `/api/deliveries/${id}/retry` };
  },
  "GET /api/acknowledge/:secret": async (to) => ({ path: await signedPath(to, "acknowledge") }),
  "POST /api/acknowledge/:secret": async (to) => ({
    path: await signedPath(to, "acknowledge"),
    body: new URLSearchParams({ done: "yes" }),
  }),
  "GET /api/unsubscribe/:secret": async (to) => ({ path: await signedPath(to, "unsubscribe") }),
  "POST /api/unsubscribe/:secret": async (to) => ({
    path: await signedPath(to, "unsubscribe"),
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  }),
  "POST /api/calendars": at("/api/calendars", { name: "All" }),
  "DELETE /api/calendars/:id": ofNew("/api/calendars", { name: "Some" }),
  "GET /api/calendar/:secret.ics": async (to) => {
    const { url } = await post(to, "/api/calendars", { name: "Other" });
    return { path: String(url) };
  },
  "POST /api/accounts": at("/api/accounts", {
    registrar: "porkbun",
    label: "Another",
    fields: { apikey: "key", secretapikey: "secret" },
    test: false,
  }),
  "GET /api/accounts/:id": ofAccount(""),
  "POST /api/accounts/:id/read": ofAccount("/read"),
  "GET /api/accounts/:id/names": ofAccount("/names?class=refused"),
  "POST /api/accounts/:id/answer": async (to) => {
    const request = await ofAccount("/answer", { shrunken: "believe" })(to);
    const asked = { shrunk_was: 100, shrunk_now: 50, shrunk_since: LATER };
    await to.write((sql) => sql`update registrar_accounts set ${sql(asked)}`);
    return request;
  },
  "GET /api/domains": at("/api/domains?q=name-1&sort=-price"),
  "POST /api/domains/conflicts": async (to) => ({
    path: "/api/domains/conflicts",
    json: { select: await selectAll(to) },
  }),
  "POST /api/domains.csv": async (to) => ({
    path: "/api/domains.csv",
    json: { ids: await idsOf(to, 10_000) },
  }),
  "POST /api/domains": at("/api/domains", { name: "added.example", expires: "2031-01-01" }),
  "GET /api/domains/:id": ofDomain(""),
  "PATCH /api/domains/:id": ofDomain("", { notes: "Changed" }, { "If-Match": "*" }),
  "GET /api/domains/:id/history": ofDomain("/history"),
  "PUT /api/domains/:id/handled": ofDomain("/handled", { until: null }),
  "DELETE /api/domains/:id/handled": ofDomain("/handled"),
  "GET /api/domains/:name": async (to) => {
    const { items } = await get(to, "/api/domains?limit=1");
    return { path: `/api/domains/${items[0].name}` };
  },
  "GET /api/summary": at("/api/summary?today=2026-10-01"),
  "POST /api/domains/bulk": async (to) => ({
    path: "/api/domains/bulk",
    // Most of them, so that the undo takes this change.
    json: {
      select: { ids: await idsOf(to, Math.min(0.6 * to.names, 20_000)) },
      op: { ...EDIT, owner: "Somebody" },
    },
  }),
  "POST /api/domains/bulk/foretell": async (to) => ({
    path: "/api/domains/bulk/foretell",
    json: { select: { ids: await idsOf(to, 20_000) }, op: { kind: "edit", owner: "Nobody" } },
  }),
  "POST /api/operations/:operations/undo/foretell": async (to) => {
    const { path } = await ofOperation(to);
    return { path: `${path}/foretell` };
  },
  "POST /api/operations/:operations/undo": ofOperation,
  "GET /api/changes": at("/api/changes?q=x"),
  "GET /api/news": async (to) => {
    const { times } = await get(to, "/api/news");
    return { path: `/api/news?at=${times}` };
  },
  "POST /api/sample": at("/api/sample"),
  "DELETE /api/sample": at("/api/sample"),
  "PATCH /api/settings": at("/api/settings", { leadDays: 45, currency: "EUR" }),
  "PATCH /api/registrars/:key": async (to) => {
    const { items } = await get(to, "/api/registrars");
    return { path: `/api/registrars/${items[0].key}`, json: { name: "Renamed" } };
  },
  "POST /api/views": at("/api/views", { name: "All", query: "?tld=com" }),
  "PATCH /api/views/:id": async (to) => ({ ...(await ofView(to)), json: { query: "?tld=net" } }),
  "DELETE /api/views/:id": ofView,
  "PUT /api/settings/reference": at("/api/settings/reference", { on: false }),
  "GET /api/costs": at("/api/costs?what=paid&by=month&group=tld"),
  "GET /api/costs/cheaper": at("/api/costs/cheaper?today=2027-01-15"),
  "GET /api/costs/statement": at("/api/costs/statement?markup=12.5&limit=200"),
  "GET /api/costs/statement.csv": at("/api/costs/statement.csv?markup=12.5"),
  "GET /api/costs.csv": at("/api/costs.csv?what=renewals&by=month&group=tld"),
  "POST /api/imports": async (to) => {
    const uploadId = await uploadFile(to.owner, importTable(to.names / 2));
    return { path: "/api/imports", json: { uploadId, defaults: { registrarUnknown: true } } };
  },
  "GET /api/imports/:id": ofPreview(""),
  "GET /api/imports/:id/rows": ofPreview("/rows?class=new&limit=200"),
  "GET /api/imports/:id/left-out.csv": ofPreview("/left-out.csv"),
  "POST /api/imports/:id/commit": async (to) => ({
    ...(await ofPreview("/commit")(to)),
    headers: IMPORT_HEADERS(),
  }),
  "POST /api/imports/:id/undo/foretell": async (to) => {
    const { path } = await ofCommitted(to);
    return { path: `${path}/foretell` };
  },
  "POST /api/imports/:id/undo": ofCommitted,
  "PATCH /api/imports/:id/rows": ofPreview("/rows", { skip: { class: "new" }, skipped: true }),
  "PATCH /api/imports/:id": async (to) => {
    const request = await ofPreview("", { defaults: { registrar: "Gandi" } })(to);
    // They are left out of the next preview, too.
    const json = { skip: { class: "new" }, skipped: true };
    await to.owner.request(`${request.path}/rows`, { method: "PATCH", json });
    return request;
  },
  "DELETE /api/imports/:id": ofPreview(""),
  "DELETE /api/imports": async (to) => {
    await previewOf(to.owner, importTable(3));
    return { path: "/api/imports?state=preview" };
  },
  "POST /api/accounts/:id/accept": ofAccount("/accept", "new"),
  "POST /api/accounts/:id/refuse": ofAccount("/refuse", "new"),
  "PATCH /api/accounts/:id": async (to) => {
    const { path } = await ofAccount("")(to);
    return { path, json: { label: "Renamed" }, headers: { "If-Match": "*" } };
  },
  "DELETE /api/accounts/:id": ofAccount(""),
  "DELETE /api/people/:id": async (to) => {
    const [id] = await to.read((sql) =>
      readColumn(sql`select person_id from domains where person_id is not null limit 1`),
    );
    return { path: `/api/people/${id}` };
  },
  "DELETE /api/domains/:id": ofDomain("", undefined, { "If-Match": "*" }),
  "GET /api/bin": async (to) => {
    await deleteSome(to);
    return { path: "/api/bin?limit=200" };
  },
  "POST /api/bin/restore": async (to) => {
    await deleteSome(to);
    const { items } = await get(to, "/api/bin?limit=200");
    return {
      path: "/api/bin/restore",
      json: { ids: items.map((each: { id: string }) => each.id) },
    };
  },
  "DELETE /api/bin": async (to) => {
    await deleteSome(to);
    return { path: "/api/bin" };
  },
};

function at(path: string, json?: object): Prepare {
  return () => ({ path, json });
}

function byStranger(path: string, json?: object): Prepare {
  return async (to) => ({ path, json, client: await stranger(to) });
}

/** By somebody of their own, whose session it may end. */
function byViewer(path: string, json?: object): Prepare {
  return async (to) => ({ path, json, client: (await join(to, "viewer")).client });
}

/** Of what is added first. */
function ofNew(path: string, json: object): Prepare {
  return async (to) => ({ path: `${path}/${(await post(to, path, json))["id"]}` });
}

function ofPerson(path: string, json?: object): Prepare {
  return async (to) => ({ path: `/api/people/${(await join(to, "editor")).id}${path}`, json });
}

function ofChannel(path: string, json?: object): Prepare {
  return async (to) => ({ path: `/api/channels/${await addChannel(to)}${path}`, json });
}

function ofView(to: FilledRegister) {
  return ofNew("/api/views", { name: crypto.randomUUID(), query: "?tld=org" })(to);
}

function ofDomain(path: string, json?: object, headers: Record<string, string> = {}): Prepare {
  return async (to) => {
    const [id] = await idsOf(to, 1);
    return { path: `/api/domains/${id}${path}`, json, headers };
  };
}

/** Of the account that lists what is new; `new` selects all of that. */
function ofAccount(path: string, json?: object | "new"): Prepare {
  return async (to) => {
    const { items } = await get(to, "/api/accounts");
    const found = items.toSorted(
      (one: { counts: { new: number } }, other: { counts: { new: number } }) =>
        other.counts.new - one.counts.new,
    )[0];
    const all = { all: true, expectedCount: found.counts.new };
    return { path: `/api/accounts/${found.id}${path}`, json: json === "new" ? all : json };
  };
}

/** Of the latest preview that is open, or of one of half as many rows as the register has names. */
function ofPreview(path: string, json?: object): Prepare {
  return async (to) => {
    const id =
      (await findImport(to, "preview")) ??
      (await previewOf(to.owner, importTable(to.names / 2, "2028"))).id;
    return { path: `/api/imports/${id}${path}`, json };
  };
}

/** Of the latest change, where it is one of most domains that stands, or of one that it makes. */
async function ofOperation(to: FilledRegister) {
  const { items } = await get(to, "/api/changes");
  const [latest] = items;
  if (latest?.back === "undo" && latest.names > to.names / 2) {
    return { path: `/api/operations/${latest.operations}/undo` };
  }
  const op = { ...EDIT, decision: "watch" };
  const { operation } = await post(to, "/api/domains/bulk", { select: await selectAll(to), op });
  return { path: `/api/operations/${operation}/undo` };
}

/** Of the latest import that was committed, or of the preview of `ofPreview`. */
async function ofCommitted(to: FilledRegister) {
  const committed = await findImport(to, "committed");
  if (committed !== null) return { path: `/api/imports/${committed}/undo` };
  const { path } = await ofPreview("")(to);
  await to.owner.request(`${path}/commit`, { method: "POST", headers: IMPORT_HEADERS() });
  return { path: `${path}/undo` };
}

async function findImport(to: FilledRegister, state: string): Promise<string | null> {
  const { items } = await get(to, "/api/imports");
  return items.find((each: { state: string }) => each.state === state)?.id ?? null;
}

// oxlint-disable-next-line typescript/no-explicit-any -- What the server answers is checked by its own tests.
async function get({ owner }: FilledRegister, path: string): Promise<any> {
  return owner.json(path);
}

async function post({ owner }: FilledRegister, path: string, json: object) {
  const response = await owner.request(path, { method: "POST", json });
  const answer: unknown = await response.json();
  if (response.ok && isRecord(answer)) return answer;
  throw new Error(`POST ${path} got ${response.status} ${JSON.stringify(answer)}`);
}

/** Somebody new, signed in. */
function join(to: FilledRegister, role: AccountRole) {
  return joinAs(to, { email: `${crypto.randomUUID()}@example.com`, role });
}

async function stranger(to: FilledRegister): Promise<ApiClient> {
  const client = to.visitor();
  await client.request("/api/token");
  return client;
}

/** A viewer with an authenticator app. */
async function joinWithApp(to: FilledRegister) {
  const person = await join(to, "viewer");
  await person.client.post("/api/factors/totp/confirm", { code: await startTotp(person.client) });
  return person;
}

/** The code that confirms an app which has just been set up. */
async function startTotp(client: ApiClient): Promise<string> {
  const setUp = await client.json("/api/factors/totp", { method: "POST" });
  const uri = isRecord(setUp) ? String(setUp["uri"]) : "";
  const secret = fromBase32(new URL(uri).searchParams.get("secret") ?? "");
  return totpCode(secret, Math.floor(Date.now() / 30_000));
}

/** Of a webhook that does not answer. */
function channel(name: string) {
  return { kind: "webhook", name, target: "http://127.0.0.1:1/" };
}

async function addChannel(to: FilledRegister): Promise<string> {
  const { id } = await post(to, "/api/channels", channel(crypto.randomUUID()));
  return String(id);
}

/** The path of a link in a message. */
async function signedPath(to: FilledRegister, action: "acknowledge" | "unsubscribe") {
  const id = await addChannel(to);
  return to.read(async (sql) => {
    const [found] = await readChannels(sql, id);
    const [domain] = await sql<{ id: string; due: string }[]>`
      select id, expires_earliest as due from domains where expires_earliest is not null order by name limit 1`;
    if (found === undefined || domain === undefined) throw new Error("Expected both");
    const sign = await createSigner(sql, "", found);
    return action === "unsubscribe" ? sign(action) : sign(action, domain.id, domain.due);
  });
}

async function deleteSome(to: FilledRegister): Promise<void> {
  const select = { ids: await idsOf(to, to.names / 10) };
  await post(to, "/api/domains/bulk", { select, op: { kind: "delete" } });
}

async function selectAll(to: FilledRegister) {
  const { total } = await get(to, "/api/domains?limit=1");
  return { filter: {}, expectedCount: total };
}

async function idsOf(to: FilledRegister, limit: number): Promise<string[]> {
  return to.read((sql) =>
    readColumn(sql`select id from domains order by id limit ${Math.ceil(limit)}`),
  );
}
