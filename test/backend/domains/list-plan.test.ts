import { describe, expect, spyOn } from "bun:test";
import { SQL } from "bun";
import { isPostgres, type Database } from "../../../src/backend/database/database.ts";
import { readBin } from "../../../src/backend/domains/write/bin.ts";
import { listDomains, parseListQuery } from "../../../src/backend/domains/list/list-domains.ts";
import { indexSearch } from "../../../src/backend/domains/list/search.ts";
import { customKey } from "../../../src/shared/text.ts";
import { SORT_FIELDS } from "../../../src/shared/view.ts";
import { databaseKind, onSqlite, test } from "../../support/both-databases.ts";
import { openRegister } from "../../support/empty-database.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";

/** Domains by which Postgres plans; SQLite plans the same for any number. */
const NAMES = 5_000;
const SAMPLE = 500;
/** Domains that have what no other has. */
const FEW = 5;
const PERSON = "01920000-0000-7000-8000-000000000000";

/** Orders that are read from an index; a price is computed, and all of them are read. */
const SORTS = SORT_FIELDS.flatMap((field) => (field === "price" ? [] : [field, `-${field}`]));

const FEW_MATCH = [
  "registrar=rare",
  "account=rare",
  "owner=rare",
  "tag=rare",
  "q=rare",
  "q=rare yes -nothing",
  "tld=rare",
  "decision=transfer",
  "status=cancelled",
  "expiresBefore=2026-10-02",
  "work=undecided&today=2028-09-28",
  "work=any&today=2028-09-28&expiresFrom=2028-09-28",
  "registrar=rare&lapsed=false&owner=!nobody",
  `import=${PERSON}`,
  `person=${PERSON}`,
  "custom.rare=yes",
];

async function fullRegister(stack: AsyncDisposableStack): Promise<Database> {
  const onPostgres = databaseKind() === "postgres";
  const { database, url } = stack.use(await openRegister(databaseKind()));
  await fillRegister(database, SAMPLE);
  await database.write(async (sql) => {
    await sql`insert into registrars (label_key, label) values ('rare', 'Rare')`;
    await sql`insert into tags (label_key, label) values ('rare', 'Rare')`;
    const user = { id: PERSON, email: "a@b.c", password: "", role: "viewer", created_at: "" };
    await sql`insert into users ${sql(user)}`;
    await sql`update domains set decision = 'keep' where decision = 'transfer'`;
    if (onPostgres) {
      const [others] = await sql<{ columns: string }[]>`
        select string_agg(column_name, ', ') as columns from information_schema.columns
        where table_schema = current_schema() and table_name = 'domains'
          and column_name not in ('id', 'name', 'sort_name')`;
      await sql.unsafe(`insert into domains (id, name, sort_name, ${others?.columns})
        select id || n, n || name, n || name, ${others?.columns}
        from domains, generate_series(1, ${NAMES / SAMPLE - 1}) n order by 2`);
      await sql`insert into domain_tags select domain_id || n, tag_key
        from domain_tags, generate_series(1, ${NAMES / SAMPLE - 1}) n`;
    }
    const few = sql`select id from domains order by name limit ${FEW}`;
    await sql`update domains set registrar_key = 'rare', account_key = 'rare', owner_key = 'rare',
      tld = 'rare', decision = 'transfer', status_key = 'cancelled', person_id = ${PERSON},
      custom_key = ${customKey({ rare: "yes" })}, words = ${"rare\u001eyes"}
      where id in (${few})`;
    await sql`insert into domain_tags select id, 'rare' from domains where tld = 'rare'`;
    const nothing = { analysis: "", defaults: "", counts: "", file_name: "", previewed_at: "" };
    const done = { state: "committed", committed_at: "1", created_at: "", upload_id: "" };
    await sql`insert into imports ${sql({ id: PERSON, user_id: PERSON, ...done, ...nothing })}`;
    await sql`insert into changes (id, domain_id, at, made_by_name, action, fields, import_id)
      select id, id, '1', '', 'edited', '', case tld when 'rare' then cast(${PERSON} as text) end
      from domains`;
  });
  await indexSearch(database);
  if (onPostgres) {
    // What the server does by itself before long, unless it is that of the tests.
    await using sql = new SQL(url, { max: 1 });
    await sql`vacuum analyze`;
  }
  return database;
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** What the planner says of a statement: SQLite in lines, Postgres with what it then did. */
interface Plan {
  rows: ({ detail: string } | { "QUERY PLAN": [{ Plan: PlanNode }] })[];
  /** The number of rows that the statement returned. */
  returned: number;
}

/** Reads a page; the plan of each statement that counts or reads ids. */
async function explainPage(database: Database, query: string): Promise<Plan[]> {
  const plans: Plan[] = [];
  const parsed = { ...parseListQuery(new URLSearchParams(query)), sight: EVERYTHING } as const;
  await database.read((sql) => listDomains(explaining(sql, plans), parsed));
  return plans;
}

function explaining(sql: SQL, plans: Plan[]): SQL {
  const how = isPostgres(sql)
    ? sql`explain (analyze, costs off, timing off, format json)`
    : sql`explain query plan`;
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) => {
    const query = sql(strings, ...values);
    if (!/count\(|sum\(| offset |select id |from bin/.test(String(strings))) return query;
    const run = query.then.bind(query);
    const explained = async () => {
      const rows = await sql<Plan["rows"]>`${how} ${query}`;
      const result = await run();
      plans.push({ rows, returned: Array.isArray(result) ? result.length : 0 });
      return result;
    };
    const then: typeof run = (...next) => explained().then(...next);
    spyOn(query, "then").mockImplementation(then);
    return query;
  };
  // True of what a list uses: it calls it, also with names of columns, and asks whose it is.
  const { options, unsafe } = sql;
  return Object.assign(tag, { options, unsafe: unsafe.bind(sql) }) as unknown as SQL;
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const each of node.Plans ?? []) yield* nodesOf(each);
}

/** The rows that Postgres looked at for a page, or sorted beyond `limit`. */
function countRead(plans: readonly Plan[]): { read: number; sorted: number; scans: number } {
  const count = { read: 0, sorted: 0, scans: 0 };
  for (const { rows } of plans) {
    const [first] = rows;
    if (first === undefined || !("QUERY PLAN" in first)) throw new Error("No plan of Postgres");
    for (const node of nodesOf(first["QUERY PLAN"][0].Plan)) {
      const loops = node["Actual Loops"];
      const each = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
      const isOfDomains = node["Relation Name"] === "domains";
      if (isOfDomains) count.read += each * loops;
      if (isOfDomains && node["Node Type"] === "Seq Scan") count.scans += loops;
      if (/Sort/.test(node["Node Type"])) {
        for (const below of node.Plans ?? []) count.sorted += below["Actual Rows"];
      }
    }
  }
  return count;
}

/** What SQLite says of each statement. */
function linesOf({ rows }: Plan): string[] {
  return rows.map((row) => ("detail" in row ? row.detail : ""));
}

/** Lines of SQLite about reading without an index, or sorting more than a page has. */
function faultsOf(plans: readonly Plan[], limit: number): string[] {
  return plans.flatMap((plan) => {
    const lines = linesOf(plan);
    const sorts = lines.filter((line) => line.includes("TEMP B-TREE"));
    // A page's own rows are sorted once they are looked up by name.
    if (lines.some((line) => /^SEARCH domains .*\(sort_name=\?\)/.test(line))) sorts.pop();
    const unindexed = /^(?:SCAN|SEARCH) domains(?! .*INDEX (?:domains_|sqlite_auto))/;
    const read = lines.filter((line) => unindexed.test(line));
    // A statement that returned less than a page has sorted no more.
    return plan.returned > limit ? [...read, ...sorts] : read;
  });
}

describe("a page of the list", () => {
  test("is read from an index in every order at any place; of a filter that few match, those alone", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await fullRegister(stack);
    const names = databaseKind() === "postgres" ? NAMES : SAMPLE;
    const limit = 20;
    for (const [index, sort] of SORTS.entries()) {
      // Of every other descending order.
      const query = `sort=${sort}&limit=${limit}${index % 4 === 3 ? "&lapsed=false" : ""}`;
      const middle = parseListQuery(new URLSearchParams(`${query}&offset=${names / 2}`));
      const parsed = { ...middle, sight: EVERYTHING } as const;
      const { next } = await database.read((sql) => listDomains(sql, parsed));
      const places = { "": 0, [`&after=${next}`]: 0, [`&offset=${names * 0.8}`]: names * 0.8 };
      for (const [place, offset] of Object.entries(places)) {
        const plans = await explainPage(database, query + place);
        if (databaseKind() === "postgres") {
          const counts = countRead(plans);
          const isGood =
            counts.read < 10 * limit + 3 * offset + 600 &&
            counts.sorted < 10 * limit + offset / 4 &&
            counts.scans === 0;
          expect([query + place, counts, isGood]).toEqual([query + place, counts, true]);
        } else {
          expect([query + place, faultsOf(plans, limit)]).toEqual([query + place, []]);
        }
      }
    }
    for (const filter of FEW_MATCH) {
      const plans = await explainPage(database, `sort=-changed&${filter}`);
      if (databaseKind() === "postgres") {
        const { read, scans } = countRead(plans);
        expect([filter, read < NAMES / 20, read, scans]).toEqual([filter, true, read, 0]);
      } else {
        const lines = plans.flatMap(linesOf);
        const scans = lines.filter((line) => line.startsWith("SCAN domains"));
        expect([filter, scans]).toEqual([filter, []]);
      }
    }
  });
});

describe("a page of the bin", () => {
  onSqlite("looks for the import of each row among the changes of its domain alone", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await fullRegister(stack);
    const plans: Plan[] = [];
    const page = await database.write(async (sql) => {
      await sql`insert into bin (id, domain_id, name, unicode, deleted_at, deleted_by_name, content)
        select id, id, name, unicode, '1', '', '' from domains`;
      return readBin.run(explaining(sql, plans), { limit: 20 });
    });
    expect(page.total).toBe(SAMPLE);
    const lines = plans.flatMap(linesOf).filter((line) => line.includes(" changes "));
    expect(lines).toEqual(["SEARCH changes USING INDEX changes_by_domain (domain_id=?)"]);
  });
});
