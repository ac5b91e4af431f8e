import { addDays, utcToday } from "../../src/shared/day.ts";
import { DECISIONS, type Domain, parseDomainPage } from "../../src/shared/domain.ts";
import { parseFacets } from "../../src/shared/facets.ts";
import { parseUndone } from "../../src/shared/operations.ts";
import type { ApiRequest } from "../support/api-client.ts";
import type { createRandom } from "../support/random.ts";

/** The people of the soak, and the model: what each of them has by the answers that came. */

const MOST_NAMES = 60;

/** `lost`: no answer came, so that it may have been done or not. */
export type Answer = { outcome: "done"; text: string } | { outcome: "refused" | "lost" };

/** `mayBe`: refusals that are right. */
type Options = ApiRequest & { mayBe?: number[] };
export type Ask = (what: string, path: string, options?: Options) => Promise<Answer>;

export const wrongs = new Set<string>();
export const wrong = (what: string) => void wrongs.add(what.slice(0, 1800));

export interface Values {
  notes: string;
  decision: string | null;
  minor: number | null;
  tags: string[];
}
type World = ReadonlyMap<string, Values>;

export interface Person {
  at: number;
  owner: string;
  ask: Ask;
  random: ReturnType<typeof createRandom>;
  world: World;
  /** Of every name that they ever had; what is not in the world is in the bin, as it was last. */
  ids: Map<string, string>;
  last: Map<string, Values>;
  undo: { operation: string; before: World }[];
  working: Promise<void>;
}
/** Asks until there is an answer, as a reload does. */
async function read(person: Person, what: string, path: string): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await person.ask(what, path);
    if (answer.outcome === "done") return answer.text;
    await Bun.sleep(250);
  }
  throw new Error(`${path} is never answered`);
}
export const readJson = async (person: Person, what: string, path: string) =>
  JSON.parse(await read(person, what, path));

export async function list(person: Person, what: string, query: string): Promise<Domain[]> {
  const items: Domain[] = [];
  for (let after: string | null = ""; after !== null;) {
    // By name: checks go on, and move days from page to page.
    const path = `/api/domains?sort=name&limit=200&after=${encodeURIComponent(after)}${query}`;
    const page = parseDomainPage(await readJson(person, what, path));
    items.push(...page.items);
    after = page.next;
    if (after === null && page.total !== items.length) {
      wrong(`${path} counts ${page.total} domains and lists ${items.length}`);
    }
  }
  return items;
}

export const valuesOf = ({ notes, decision, renewal, tags }: Domain): Values => ({
  notes,
  decision,
  minor: renewal?.minor ?? null,
  tags: tags.toSorted(),
});
const worldOf = (domains: readonly Domain[]): World =>
  new Map(domains.map((each) => [each.name, valuesOf(each)]));
const isSame = (one: World, other: World) =>
  Bun.deepEquals([...one].toSorted(), [...other].toSorted());

function move(person: Person, world: World) {
  for (const [name, values] of person.world) person.last.set(name, values);
  person.world = world;
}

/** Looks what is there: it must be one of these worlds. */
async function look(person: Person, what: string, worlds: readonly World[]): Promise<void> {
  const domains = await list(person, what, `&owner=${encodeURIComponent(person.owner)}`);
  const found = worldOf(domains);
  for (const { name, id } of domains) person.ids.set(name, id);
  if (!worlds.some((world) => isSame(world, found))) {
    const [before = found, after = before] = worlds;
    const names = new Set([...found.keys(), ...after.keys()]);
    const differ = [...names].filter((name) => !Bun.deepEquals(found.get(name), after.get(name)));
    const shown = differ.slice(0, 3).map((name) => {
      const all = [found, before, after].map((world) => JSON.stringify(world.get(name)));
      return `${name} is ${all[0]}, was ${all[1]}, should be ${all[2]}`;
    });
    wrong(`${person.owner}, ${what}: ${differ.length} differ: ${shown.join("; ")}`);
  }
  move(person, found);
}

/** Asks for a change that leads to `after`; its answer, or null. */
async function change(person: Person, what: string, path: string, options: Options, after: World) {
  const before = person.world;
  const answer = await person.ask(what, path, { method: "POST", ...options });
  if (answer.outcome === "done") {
    const body = JSON.parse(answer.text);
    if (body.name) person.ids.set(body.name, body.id);
    if (body.operation) person.undo.push({ operation: body.operation, before });
    move(person, after);
    return body;
  }
  if (answer.outcome === "lost") {
    person.undo = [];
    await look(person, `after a lost ${what}`, [before, after]);
  }
  return null;
}

const OWN_FIELDS = new Set(["notes", "decision", "renewal", "tags"]);
const ANY = { "If-Match": "*" };
const newValues = ({ random }: Person): Values => ({
  notes: `note ${random.below(1e6)}`,
  decision: random.pick([...DECISIONS, null]),
  minor: random.below(5000),
  tags: ["a", "b", "c"].filter(() => random.below(2) === 0),
});
const inputOf = ({ minor, ...rest }: Values) => ({
  ...rest,
  renewal: { minor, currency: "EUR", years: 1 },
});
/** Up to ten of what they have. */
const some = ({ random, world }: Person) => {
  const names = [...world.keys()];
  const start = random.below(names.length);
  return names.slice(start, start + 1 + random.below(10));
};
const idsOf = (person: Person, names: readonly string[]) =>
  names.flatMap((name) => person.ids.get(name) ?? []);
const without = (world: World, names: readonly string[]): World =>
  new Map([...world].filter(([name]) => !names.includes(name)));
const withBulk = (world: World, names: readonly string[], decision: string): World =>
  new Map(
    [...world].map(([name, values]) => {
      const tags = [...new Set([...values.tags, "bulk"])].toSorted();
      return [name, names.includes(name) ? { ...values, decision, tags } : values];
    }),
  );

const WORK: Record<string, (person: Person) => Promise<unknown>> = {
  async add(person) {
    const name = `p${person.at}-${person.random.below(1e9)}.${person.random.pick(["com", "example"])}`;
    if (person.world.size >= MOST_NAMES || person.ids.has(name)) return;
    const values = newValues(person);
    const expires = addDays(utcToday(), 1 + person.random.below(700));
    const json = { name, owner: person.owner, expires, ...inputOf(values) };
    await change(person, "add", "/api/domains", { json }, new Map(person.world).set(name, values));
  },
  async edit(person) {
    const [name = ""] = some(person);
    const values = newValues(person);
    const options = { method: "PATCH", json: inputOf(values), headers: ANY };
    const path = `/api/domains/${person.ids.get(name)}`;
    await change(person, "edit", path, options, new Map(person.world).set(name, values));
  },
  async bulk(person) {
    const isAll = person.random.below(3) === 0;
    const names = isAll ? [...person.world.keys()] : some(person);
    const select = isAll
      ? { filter: { owner: person.owner }, expectedCount: names.length }
      : { ids: idsOf(person, names) };
    const decision = person.random.pick(DECISIONS);
    const json = { select, op: { kind: "edit", decision, addTags: ["bulk"] } };
    const after = withBulk(person.world, names, decision);
    const told = await change(person, "bulk", "/api/domains/bulk", { json }, after);
    if (told && told.matched !== names.length) wrong(`A bulk change matched ${told.matched}`);
  },
  async delete(person) {
    const [name = ""] = some(person);
    const options = { method: "DELETE", headers: ANY };
    const path = `/api/domains/${person.ids.get(name)}`;
    await change(person, "delete", path, options, without(person.world, [name]));
  },
  async "bulk delete"(person) {
    if (person.world.size < MOST_NAMES / 2) return;
    const names = some(person);
    const json = { select: { ids: idsOf(person, names) }, op: { kind: "delete" } };
    const after = without(person.world, names);
    await change(person, "bulk delete", "/api/domains/bulk", { json }, after);
  },
  async restore(person) {
    const binned = [...person.ids.keys()].filter((name) => !person.world.has(name)).slice(-5);
    if (binned.length === 0) return;
    const back = binned.map((name) => [name, person.last.get(name)] as const);
    const known = back.filter((pair): pair is [string, Values] => pair[1] !== undefined);
    const json = {
      ids: idsOf(
        person,
        known.map(([name]) => name),
      ),
    };
    const after = new Map([...person.world, ...known]);
    await change(person, "restore", "/api/bin/restore", { json }, after);
  },
  async undo(person) {
    const last = person.undo.pop();
    if (last === undefined) return;
    const rest = person.undo;
    person.undo = [];
    const path = `/api/operations/${last.operation}/undo`;
    const before = person.world;
    const told = await change(person, "undo", path, {}, last.before);
    if (told === null) return;
    // What a check has changed since it was added stays, and what was deleted again, by another undo.
    const { kept: all } = parseUndone(told);
    const kept = all.map(({ name }) => name);
    const own = all.filter(({ fields }) => fields.some((field) => OWN_FIELDS.has(field)));
    if (own.length > 0) wrong(`${person.owner}: an undo has kept ${JSON.stringify(own)}`);
    if (kept.length > 0) {
      const expected = new Map(last.before);
      for (const name of kept) {
        const values = before.get(name);
        if (values) expected.set(name, values);
        else expected.delete(name);
      }
      await look(person, "undo", [expected]);
      person.undo = [];
    } else if (person.random.below(3) > 0) person.undo = rest;
  },
  async import(person) {
    if (person.world.size >= MOST_NAMES) return;
    const stem = `i${person.at}-${person.random.below(1e9)}`;
    const names = Array.from({ length: 20 }, (_, at) => `${stem}-${at}.example`);
    const rows = names.map((name) => `${name},${person.owner},${stem}`);
    const body = new FormData();
    body.append("file", new Blob([["Domain,Owner,Notes", ...rows].join("\n")]), "names.csv");
    const sent = await person.ask("upload", "/api/upload/post", { method: "POST", body });
    if (sent.outcome !== "done") return;
    const json = { uploadId: JSON.parse(sent.text).uploadId, defaults: { registrarUnknown: true } };
    const made = await person.ask("preview", "/api/imports", { method: "POST", json });
    if (made.outcome !== "done") return;
    const { id } = JSON.parse(made.text);
    const values = { notes: stem, decision: null, minor: null, tags: [] };
    const before = person.world;
    const after = new Map([...before, ...names.map((name) => [name, values] as const)]);
    // The same key: what was done already is not done twice. A preview may be out of date.
    const headers = { "Idempotency-Key": stem };
    const commit = () => {
      const options = { headers, mayBe: [409] };
      return change(person, "import", `/api/imports/${id}/commit`, options, after);
    };
    for (let tries = 0; tries < 5; tries += 1) {
      if ((await commit()) === null) continue;
      await look(person, "import", [after]);
      person.undo.push({ operation: id, before });
      return;
    }
  },
  async check(person) {
    const json = { select: { ids: idsOf(person, some(person)) }, op: { kind: "check" } };
    await change(person, "check", "/api/domains/bulk", { json }, person.world);
  },
  view: (person) => look(person, "view", [person.world]),
  async search(person) {
    const name = person.random.pick([...person.ids.keys()]);
    const { total } = await readJson(person, "search", `/api/domains?limit=1&q=${name}`);
    if (total !== Number(person.world.has(name))) wrong(`The search finds ${name} ${total} times`);
  },
  async facets(person) {
    const { owners } = parseFacets(await readJson(person, "facets", "/api/facets"));
    const { names = 0 } = owners.find(({ value }) => value === person.owner) ?? {};
    if (names !== person.world.size) {
      wrong(`The facet of ${person.owner} is ${names}, not ${person.world.size}`);
    }
  },
  async csv(person) {
    const path = `/api/domains.csv?owner=${encodeURIComponent(person.owner)}`;
    // It is noted, and so refused while the disk is full.
    const answer = await person.ask("csv", path);
    if (answer.outcome !== "done") return;
    const lines = answer.text.trim().split("\n").length - 1;
    if (lines !== person.world.size) wrong(`${path} has ${lines}, not ${person.world.size}`);
  },
  home: (person) =>
    read(person, "home", person.random.pick(["/api/summary", "/api/costs?what=renewals", "/home"])),
};
const SHARES: Record<string, number> = { add: 4, edit: 5, view: 4, search: 3, undo: 3, bulk: 2 };
const KINDS = Object.keys(WORK).flatMap((name) =>
  Array.from({ length: SHARES[name] ?? 1 }, () => name),
);

/** Does something, of which everything must come out as the model says. */
export async function work(person: Person): Promise<void> {
  const does = person.world.size < 5 ? "add" : person.random.pick(KINDS);
  await WORK[does]?.(person);
}

export function createPerson(at: number, random: Person["random"], ask: Ask): Person {
  const rest = { ids: new Map(), last: new Map(), undo: [], working: Promise.resolve() };
  return { at, owner: `Owner ${at}.`, ask, random, world: new Map(), ...rest };
}
