import { SQL } from "bun";
import { migrate } from "../../src/backend/database/migrate.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import type { DomainPage } from "../../src/shared/domain.ts";
import { SORT_FIELDS } from "../../src/shared/view.ts";
import type { ApiClient } from "../support/api-client.ts";
import type { DatabaseKind } from "../support/both-databases.ts";
import { emptyDatabase } from "../support/empty-database.ts";
import { fillRegister } from "../support/fill-register.ts";
import { spawnBackend } from "../support/spawn-backend.ts";
import { median, quantile, vacuum } from "./measure.ts";

/**
 * How long the register takes to answer, and how that grows with it: `bun run bench:register
 * [names,names,…] [sqlite|postgres]`. The backend is a process of its own that is asked by HTTP, one
 * request after the other.
 */
const sizes = (process.argv[2] ?? "2000,20000,200000").split(",").map(Number);
const kinds = (["sqlite", "postgres"] as const).filter((kind) =>
  (process.argv[3] ?? kind).includes(kind),
);

/** Of each question: as many runs as this time allows, within bounds. */
const MILLISECONDS = 400;
const [MIN_RUNS, MAX_RUNS] = [4, 100];

/** Names that one account, owner, registrar, tag and person has, whatever the size. */
const FEW = 50;

/** What is asked, by what it is called; `*` stands for four fifths of the names. */
const QUESTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    SORT_FIELDS.flatMap((field) => [
      [`list by ${field}`, `/api/domains?sort=${field}`],
      [`list by -${field}`, `/api/domains?sort=-${field}`],
    ]),
  ),
  "list as the screen asks": "/api/domains?lapsed=false",
  "at four fifths": "/api/domains?offset=*",
  "at four fifths, last first": "/api/domains?sort=-expires&offset=*",
  "at four fifths, by -registrar": "/api/domains?sort=-registrar&offset=*",
  "at four fifths, as the screen asks": "/api/domains?lapsed=false&offset=*",
  "search: few": '/api/domains?q="-1999."',
  "search: nothing": "/api/domains?q=nothing-like-it",
  "search: a client's name": '/api/domains?q="owner 17"',
  "search: one word": "/api/domains?q=gandi",
  "search: two words": "/api/domains?q=owner gandi",
  "search: one without the other": "/api/domains?q=gandi -owner",
  "registrar=": "/api/domains?registrar=GoDaddy",
  "registrar=, as the screen asks": "/api/domains?registrar=GoDaddy&lapsed=false",
  "tag=": "/api/domains?tag=client",
  "tld=": "/api/domains?tld=com",
  "decision=drop": "/api/domains?decision=drop",
  "decision=!drop": "/api/domains?decision=!drop",
  "expires=none": "/api/domains?expires=none",
  "expires=conflict": "/api/domains?expires=conflict",
  "expires within a month": "/api/domains?expiresFrom=2027-03-01&expiresBefore=2027-04-01",
  "work=undecided": "/api/domains?work=undecided",
  "work=any": "/api/domains?work=any",
  "few: registrar=": "/api/domains?registrar=Rare",
  "few: account=": "/api/domains?account=Rare",
  "few: owner=": "/api/domains?owner=Rare&sort=name",
  "few: tag=": "/api/domains?tag=Rare&lapsed=false",
  "few: person=": "/api/domains?person=me",
  "few: decision=transfer": "/api/domains?decision=transfer&owner=Rare",
  "few: custom field": "/api/domains?custom.rare=yes",
  summary: "/api/summary",
  facets: "/api/facets",
  costs: "/api/costs",
  "cost of a view": "/api/domains/cost",
  "CSV of all": "/api/domains.csv",
};

interface Timing {
  median: number;
  p99: number;
}

async function measure(client: ApiClient, path: string): Promise<Timing> {
  const times: number[] = [];
  let spent = 0;
  while (times.length < MIN_RUNS || (spent < MILLISECONDS && times.length < MAX_RUNS)) {
    const start = performance.now();
    const response = await client.request(path);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} got ${response.status}`);
    times.push(performance.now() - start);
    spent += performance.now() - start;
  }
  return { median: median(times), p99: quantile(times, 0.99) };
}

/** Gives a few names in the middle of the list values that no other has. */
async function markFew(client: ApiClient, names: number): Promise<void> {
  const path = `/api/domains?sort=name&limit=${FEW}&offset=${Math.floor(names / 2)}`;
  const { items }: DomainPage = await (await client.request(path)).json();
  const { id }: { id: string } = await (await client.request("/api/token")).json();
  const [rare, person] = ["Rare", id];
  const labels = { registrar: rare, account: rare, owner: rare, addTags: [rare] };
  const op = { kind: "edit", ...labels, person, custom: { [rare]: "yes" } };
  const select = { ids: items.map((item) => item.id) };
  const response = await client.post("/api/domains/bulk", { select, op });
  if (!response.ok) throw new Error(`The edit got ${response.status}: ${await response.text()}`);
}

/** Fills Postgres in a third of the time: each index is made at once, when all rows are there. */
async function withoutIndexes(url: string, fill: () => Promise<void>): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'domains'
      and indexname not in (select conname from pg_constraint)`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  await fill();
  for (const { definition } of indexes) await sql.unsafe(definition);
}

async function measureAll(kind: DatabaseKind, names: number): Promise<Map<string, Timing>> {
  await using place = await emptyDatabase({ kind });
  const databaseUrl = place.url.replace("?max=3", "");
  const filling = performance.now();
  const filled = await openDatabase(databaseUrl);
  await migrate(filled);
  const fill = () => fillRegister(filled, names);
  await (kind === "sqlite" ? fill() : withoutIndexes(databaseUrl, fill));
  // Otherwise SQLite's log, which is as long as nobody's is, would be folded meanwhile.
  await filled.close();
  const seconds = ((performance.now() - filling) / 1000).toFixed(1);
  await using backend = await spawnBackend(databaseUrl);
  const { client } = backend;
  await client.setUp("let me in");
  await markFew(client, names);
  if (kind === "postgres") await vacuum(databaseUrl);
  console.warn(`${names} names on ${kind}, filled in ${seconds} s`);
  const timings = new Map<string, Timing>();
  for (const [what, path] of Object.entries(QUESTIONS)) {
    const at = String(Math.floor(names * 0.8));
    timings.set(what, await measure(client, path.replace("*", at)));
  }
  return timings;
}

for (const kind of kinds) {
  const columns: Map<string, Timing>[] = [];
  for (const names of sizes) columns.push(await measureAll(kind, names));
  const heads = sizes.map((names) => names.toLocaleString("en"));
  console.log(`| ${kind}, ms: median (p99) | ${heads.join(" | ")} | growth |`);
  console.log(`| --- |${" --: |".repeat(heads.length + 1)}`);
  for (const what of Object.keys(QUESTIONS)) {
    const timings = columns.flatMap((column) => column.get(what) ?? []);
    const cells = timings.map((each) => `${each.median.toFixed(1)} (${each.p99.toFixed(1)})`);
    // Of the last step alone.
    const [before, after] = timings.slice(-2);
    const growth = before && after ? `${(after.median / before.median).toFixed(1)}×` : "";
    console.log(`| ${what} | ${cells.join(" | ")} | ${growth} |`);
  }
}
// The connections of `both-databases.ts` would keep the process.
process.exit(0);
