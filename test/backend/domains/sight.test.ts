import { describe, expect } from "bun:test";
import type { Route } from "../../../src/backend/http/route.ts";
import { COST_GROUPS, COST_KINDS } from "../../../src/shared/costs.ts";
import type { Limit } from "../../../src/shared/people.ts";
import { rightsOf } from "../../../src/shared/session.ts";
import { SORT_FIELDS } from "../../../src/shared/view.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { type BackendServer, startBackend } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import {
  addDomain,
  addDomains,
  changeMany,
  deleteDomain,
  listNames,
} from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { addPeople, joinAs } from "../../support/people.ts";
import { createRandom } from "../../support/random.ts";

const TODAY = "2026-11-28";
const OWN = ["own-a.example", "own-b.example", "own-c.example", "own-d.example"];

/**
 * What a limited viewer must not meet: each word and each number is of one field of one domain, and so
 * long that no ETag has it by chance.
 */
function createPlants() {
  const planted: string[] = [];
  const plant = (text: string) => {
    planted.push(text);
    return text;
  };
  return {
    planted,
    word: () => plant(`zq${planted.length}planted`),
    minor: () => Number(plant(`77${1_000_000 + planted.length}`)),
  };
}

type Plants = ReturnType<typeof createPlants>;

/** Fields of one domain; those of `hidden` alone are planted in a domain that is seen. */
function fieldsOf({ word, minor }: Plants, { below, pick }: ReturnType<typeof createRandom>) {
  const day = () => `${2025 + below(4)}-${pick(["01", "06", "11", "12"])}-0${1 + below(9)}`;
  const money = () => ({ minor: minor(), currency: pick(["EUR", "USD", "JPY"]) });
  const hidden = () => ({ account: word(), notes: `${word()} ${word()}`, purchasePrice: money() });
  const open = () => ({
    expires: pick([null, day(), `${TODAY.slice(0, 8)}30`]),
    autoRenew: pick([null, true, false]),
    decision: pick([null, "keep", "drop", "transfer", "watch"]),
    registeredOn: "2014-01-26",
    purchasedOn: day(),
    ...(below(4) === 0 && { soldOn: day() }),
  });
  const foreign = (person: string) => ({
    ...open(),
    ...hidden(),
    name: `${word()}.${pick(["com", "net", "de"])}`,
    registrar: pick(["Gandi", word()]),
    owner: pick([word(), null]),
    person: pick([person, null]),
    tags: [word(), "shared"],
    status: pick([null, word(), "clientHold"]),
    renewal: { ...money(), years: 1 },
    askingPrice: money(),
    ...(below(3) === 0 && { soldPrice: money() }),
    nameservers: [`${word()}.example`],
    custom: { [word()]: word() },
  });
  const own = (name: string) => ({
    ...open(),
    ...hidden(),
    name,
    registrar: "Gandi",
    owner: "ACME",
    tags: ["shared"],
    renewal: { minor: 1200, currency: "EUR", years: 1 },
    custom: { Shelf: "A" },
  });
  return { foreign, own };
}

/** Every address that a limited viewer may read, in many ways. */
function addresses({ ids, names, times }: Record<"ids" | "names" | "times", readonly string[]>) {
  const views = [
    ...SORT_FIELDS.map((field) => `sort=${field}&limit=2`),
    "sort=-expires&limit=2",
    "lapsed=true",
    "lapsed=false",
    "archived=true",
    "archived=any",
    "archived=proposed",
    "work=any",
    "finding=any",
    "sold=true",
    "person=none",
    "person=me",
    "handled=open",
    "q=zq",
    "q=-zq",
    "q=zq1planted",
    "q=shared",
    "tag=shared",
    "tag=-",
    "price=known",
    "account=-",
    "offset=1&limit=2",
    "sort=expires&offset=1&limit=1&tag=shared",
  ];
  const costs = [
    ...Object.keys(COST_KINDS).map((what) => `what=${what}&group=tag`),
    ...Object.keys(COST_GROUPS).map((group) => `what=renewals&group=${group}`),
  ];
  return [
    ...views.map((view) => `/api/domains?today=${TODAY}&${view}`),
    ...["", "?q=shared", "?archived=any"].map((view) => `/api/domains.csv${view}`),
    ...["all", "me", "none", "auto"].map((who) => `/api/summary?today=${TODAY}&person=${who}`),
    ...["q=", "q=zq", "kind=edited", "kind=deleted", "kind=added"].map(
      (query) => `/api/changes?${query}`,
    ),
    ...["", ".csv"].flatMap((csv) =>
      costs.map((query) => `/api/costs${csv}?${query}&by=year&today=${TODAY}`),
    ),
    ...ids.flatMap((id) => [`/api/domains/${id}`, `/api/domains/${id}/history`]),
    ...names.map((name) => `/api/domains/${name}`),
    ...["", ".csv"].map((csv) => `/api/costs/statement${csv}?today=${TODAY}&markup=10`),
    "/api/domains/cost",
    `/api/facets?today=${TODAY}`,
    "/api/news",
    "/api/people/names",
    "/api/settings",
    "/api/views",
    "/api/calendars",
    `/api/news?at=${times.join()}`,
  ];
}

/** All that the paths answer. */
async function readAll(client: ApiClient, paths: readonly string[], ids: readonly string[]) {
  const answers = new Map<string, string>();
  const keep = async (path: string, response: Response) => {
    const text = await response.text();
    // A cursor has values in base64.
    const [, next = ""] = /"next":"([\w-]+)"/.exec(text) ?? [];
    const cursor = Buffer.from(next, "base64url").toString();
    answers.set(path, [response.status, response.headers.get("etag"), text, cursor].join("\n"));
  };
  for (const path of paths) await keep(path, await client.request(path));
  const chosen = await client.post("/api/domains.csv", { ids });
  await keep("POST /api/domains.csv", chosen);
  return answers;
}

/** Whatever a person can do to domains. */
async function stir(
  owner: ApiClient,
  ids: readonly string[],
  { word }: Plants,
  { pick }: ReturnType<typeof createRandom>,
) {
  const edit = (some: readonly string[], json: object) =>
    changeMany(owner, { ids: some }, { kind: "edit", ...json });
  await edit(ids.slice(1), { addTags: [word()] });
  await edit(ids.slice(1), { decision: pick(["keep", "drop"]) });
  await edit(ids.slice(1, 3), { archivedOn: TODAY });
  await deleteDomain(owner, ids[0] ?? "");
  await owner.put(`/api/domains/${ids[3]}/handled`, { until: null });
}

async function fill(seed: number) {
  const server = await startBackend();
  const owner = await server.owner();
  const plants = createPlants();
  const random = createRandom(seed);
  const fields = fieldsOf(plants, random);
  const [person = ""] = await server.write((sql) =>
    addPeople(sql, [{ email: "p@example.org", name: plants.word() }]),
  );
  const foreign: { id: string; name: string }[] = [];
  const grow = async () => {
    for (let count = 0; count < 6; count += 1) {
      // Two are due soon, whatever is drawn, so that they are in every sum.
      const due = { expires: `${TODAY.slice(0, 8)}30`, decision: "keep", soldOn: null };
      const isDue = count >= 4 && { ...due, soldPrice: null };
      const added = await addDomain(owner, { ...fields.foreign(person), ...isDue });
      foreign.push(added);
      plants.planted.push(added.id);
    }
    const ids = foreign.slice(-6).map(({ id }) => id);
    await stir(owner, ids.slice(0, 4), plants, random);
    await server.write(async (sql) => {
      for (const id of ids.slice(2)) {
        const finding = { domain_id: id, code: "delegation-broken", severity: 0, since: TODAY };
        await sql`insert into findings ${sql({ ...finding, evidence: plants.word() })}
          on conflict do nothing`;
      }
    });
    const query = `?tag=${plants.word()}`;
    await owner.post("/api/views", { name: plants.word(), query });
  };
  await grow();
  const own: string[] = [];
  for (const name of OWN) own.push((await addDomain(owner, fields.own(name))).id);
  // Of each domain something changes that they see.
  const seen = { decision: "keep", registrar: "Other Registrar" };
  const edit = { kind: "edit", notes: plants.word(), account: plants.word(), ...seen };
  // Of an operation on others, too, they meet their own part.
  const edited = await changeMany(owner, { ids: [...own, foreign.at(-1)?.id] }, edit);
  expect(await edited.json()).toMatchObject({ changed: OWN.length + 1 });
  return { server, owner, plants, foreign, own, grow };
}

async function limitTo(server: BackendServer, owner: ApiClient, by: "owners" | "view") {
  let limit: Limit = { owners: ["acme", "No one"] };
  if (by === "view") {
    const json = { name: "Own", query: "?q=own-&owner=~acm&archived=any" };
    const view = await (await owner.post("/api/views", json)).json();
    limit = { view: view.id };
  }
  const viewer = await joinAs(server, { email: `${by}@example.org`, role: "viewer", limit });
  await viewer.client.post("/api/token/prove", { password: "correct horse battery" });
  return viewer;
}

describe("a limited viewer", () => {
  const MEETS = "meets nothing of other domains in any answer, whatever is done to them";
  const meetsNothing = async (seed: number, by: "owners" | "view") => {
    const { server, owner, plants, foreign, own, grow } = await fill(seed);
    await using _ = server;
    const { client } = await limitTo(server, owner, by);
    const { times } = (await owner.json("/api/news")) as { times: string[] };
    const ids = [...foreign, ...own.map((id) => ({ id, name: "" }))].map(({ id }) => id);
    const paths = addresses({ ids, names: foreign.map(({ name }) => name), times });
    const routes = server.backend.routes.filter(isRead);
    const unread = routes.filter(({ path }) => !paths.some((each) => isOf(path, each)));
    expect(unread.map(({ path }) => path)).toEqual([]);

    // By its own tokens and calendars, too.
    const calendar = { name: "Mine", filter: "?archived=any" };
    const { url } = await (await client.post("/api/calendars", calendar)).json();
    const asked = [...paths, url];
    // The first reading is noted.
    await client.request(url);
    const before = await readAll(client, asked, ids);
    const seen = [...before].flatMap(([path, answer]) =>
      plants.planted
        .filter((plant) => !path.includes(plant) && answer.includes(plant))
        .map((plant) => `${path}: ${plant}`),
    );
    expect(seen).toEqual([]);
    expect([...before].filter(([, answer]) => answer.startsWith("5"))).toEqual([]);
    // Nor do searches tell of fields that are hidden.
    for (const [query, total] of Object.entries({ "q=zq": 0, "q=own+-zq": 4 })) {
      const found = await client.json(`/api/domains?archived=any&${query}`);
      expect(found).toMatchObject({ total });
    }
    expect((await listNames(client, "archived=any")).toSorted()).toEqual(OWN);

    const changes = (await client.json("/api/changes")) as { items: { names: number }[] };
    expect(changes.items[0]).toMatchObject({ names: OWN.length });

    await grow();
    const after = await readAll(client, asked, ids);
    for (const [path, answer] of after)
      expect([path, answer]).toEqual([path, before.get(path) ?? ""]);
  };
  once(`${MEETS}: by their owners`, () => meetsNothing(1, "owners"), 60_000);
  test(`${MEETS}: by a view`, () => meetsNothing(2, "view"), 60_000);
});

test("a limited viewer meets an entry of changes by the first change of its group that they see", async (owner) => {
  const a = await addDomain(owner, { name: "a.example", owner: "Acme", registrar: "Gandi" });
  const b = await addDomain(owner, { name: "b.example", owner: "Acme", registrar: "OVHcloud" });
  const ids = [a.id, b.id];
  const edit = (op: object) => changeMany(owner, { ids }, { kind: "edit", ...op });
  // Of the first domain, the notes alone change.
  await edit({ notes: "Secret", registrar: "Gandi" });
  await edit({ notes: "Another secret" });
  const limit = { owners: ["Acme"] };
  const { client } = await joinAs(owner.server, { email: "a@example.org", role: "viewer", limit });
  const changes = (await client.json("/api/changes")) as { items: { changes: string[] }[] };
  expect(changes).toMatchObject({
    items: [
      { what: "Registrar “Gandi” for {}", names: 1, domain: { name: "b.example" } },
      { what: "{} added", names: 1, domain: { name: "b.example" } },
      { what: "{} added", names: 1, domain: { name: "a.example" } },
    ],
  });
  // Nor is it told of by itself what they do not see.
  const { times } = (await client.json("/api/news")) as { times: string[] };
  const news = await client.json(`/api/news?at=${times.join()}`);
  expect(news).toMatchObject({ changes: [{ names: 1 }, { names: 1 }, { names: 1 }] });
  // It leads to exactly these.
  const found = await client.json(`/api/domains?change=${changes.items[0]?.changes[0]}`);
  expect(found).toMatchObject({ total: 1, items: [{ name: "b.example" }] });
  const history = await client.json(`/api/domains/${ids[0]}/history?limit=1`);
  expect(history).toMatchObject({ items: [{ action: "added" }], next: null });
});

test("a limited viewer finds by an import what it changed of the fields that they see, and no calendar by others", async (owner) => {
  await addDomains(owner, ["a.example", "b.example"], { owner: "Acme" });
  const limit = { owners: ["Acme"] };
  const { client } = await joinAs(owner.server, { email: "a@example.org", role: "viewer", limit });
  const rows = ["a.example,Secret,", "b.example,Secret,hold", "c.example,Secret,"];
  const { id } = await importFile(owner, ["domain,account,status", ...rows].join("\n"));
  expect(await owner.json(`/api/domains?import=${id}`)).toMatchObject({ total: 3 });
  const found = await client.json(`/api/domains?import=${id}`);
  expect(found).toMatchObject({ total: 1, items: [{ name: "b.example" }] });
  for (const filter of ["?account=main", "?sort=account"]) {
    const refused = await client.post("/api/calendars", { name: "Mine", filter });
    const detail: unknown = expect.stringContaining("not yours to see");
    expect(await refused.json()).toMatchObject({ status: 403, detail });
  }
});

/** What is of the register, and not of the person who asks. */
function isRead({ method, role, path, access }: Route): boolean {
  const isOpen = rightsOf("limited").includes(role) && role !== "public";
  return isOpen && method === "GET" && access === undefined && !path.includes("factors");
}

function isOf(path: string, asked: string): boolean {
  const pattern = path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(asked.split("?")[0] ?? "");
}
