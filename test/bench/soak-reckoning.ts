import { addDays } from "../../src/shared/day.ts";
import { parseCostReport } from "../../src/shared/costs.ts";
import { parseFacets, parseYearlyCosts } from "../../src/shared/facets.ts";
import { parseSummary } from "../../src/shared/register.ts";
import { list, type Person, readJson, type Values, valuesOf, wrong } from "./soak-people.ts";

const countBy = (values: readonly string[]) =>
  Object.fromEntries(
    [...Map.groupBy(values, (each) => each)].map(([key, all]) => [key, all.length]),
  );

/**
 * Nobody works: everything must be as the model says, and what counts as what is counted.
 *
 * @param accounts What they list, and what of that was certainly added.
 */
export async function reckon(
  boss: Person,
  people: readonly Person[],
  accounts: { listed: readonly string[]; accepted: ReadonlySet<string> },
): Promise<void> {
  const domains = await list(boss, "reckoning", "");
  const model = new Map(people.flatMap(({ world }) => [...world]));
  const found = new Map<string, Values>();
  for (const each of domains) {
    if (found.has(each.name)) wrong(`${each.name} is there twice`);
    found.set(each.name, valuesOf(each));
    const expected = model.get(each.name);
    if (
      each.owner === null
        ? !accounts.listed.includes(each.name)
        : !Bun.deepEquals(expected, valuesOf(each))
    ) {
      wrong(`${each.name} is ${JSON.stringify(valuesOf(each))}, not ${JSON.stringify(expected)}`);
    }
  }
  for (const name of [...model.keys(), ...accounts.accepted])
    if (!found.has(name)) wrong(`${name} is lost`);

  const equal = (what: string, counted: unknown, expected: unknown) => {
    if (Bun.deepEquals(counted, expected)) return;
    wrong(`${what}: ${JSON.stringify(counted)}, but there is ${JSON.stringify(expected)}`);
  };
  const facets = parseFacets(await readJson(boss, "reckoning", "/api/facets"));
  const facet = (items: { value: string; names: number }[]) =>
    Object.fromEntries(items.map(({ value, names }) => [value, names]));
  equal("Decisions", facet(facets.decisions), countBy(domains.map((each) => each.decision ?? "-")));
  equal("Owners", facet(facets.owners), countBy(domains.flatMap((each) => each.owner ?? [])));
  const tags = domains.flatMap((each) => each.tags);
  equal("Tags", facet(facets.tags), countBy(tags));
  const cost = parseYearlyCosts(await readJson(boss, "reckoning", "/api/domains/cost"));
  const priced = domains.filter(({ renewal }) => renewal !== null);
  const minor = priced.reduce((sum, { renewal }) => sum + (renewal?.minor ?? 0), 0);
  const costs = priced.length > 0 ? [{ currency: "EUR", minor, names: priced.length }] : [];
  equal("Yearly cost", cost, { costs, unpriced: domains.length - priced.length });
  const summary = async () => parseSummary(await readJson(boss, "reckoning", "/api/summary"));
  const { total: shown, today, expiries } = await summary();
  equal("Home", shown, domains.length);
  for (const [at, { month }] of expiries.entries()) {
    const from = at === 0 ? today : `${month}-01`;
    const before = `${expiries[at + 1]?.month ?? addDays(`${month}-28`, 5).slice(0, 7)}-01`;
    const query = `expiresFrom=${from}&expiresBefore=${before}&decision=!drop&sold=false&limit=1`;
    // Checks go on, and move days.
    for (let tries = 0; ; tries += 1) {
      const names = (await summary()).expiries[at]?.names;
      const { total } = await readJson(boss, "reckoning", `/api/domains?${query}`);
      if (tries === 5) equal(`Expiries of ${month}`, names, total);
      if (tries === 5 || names === total) break;
    }
  }
  const report = async (group: string) => {
    const path = `/api/costs?what=renewals&by=month&group=${group}`;
    return parseCostReport(await readJson(boss, "reckoning", path));
  };
  const { rows, totals } = await report("owner");
  const sums = [...Map.groupBy(rows, ({ period }) => period).values()].map((all) =>
    all.reduce((sum, each) => sum + each.minor, 0),
  );
  equal("Costs", totals.map((each) => each.minor).toSorted(), sums.toSorted());
  const { total } = await readJson(boss, "reckoning", "/api/bin?limit=1");
  equal(
    "Bin",
    total,
    people.reduce((sum, { ids, world }) => sum + ids.size - world.size, 0),
  );
}

/** What the mail server may be late, on a busy machine, in noting when a message came. */
const LATE_MS = 5000;

/**
 * Each message came once, or again where a server was killed between the mail server's word and its own note
 * of it. Returns how many came again.
 */
export function judgeMessages(
  deliveries: readonly { id: string; state: string }[],
  mails: ReadonlyMap<string, readonly number[]>,
  kills: readonly number[],
): number {
  const known = new Set(deliveries.map(({ id }) => id));
  let again = 0;
  for (const { id, state } of deliveries) {
    const copies = mails.get(id) ?? [];
    if (state === "dead" || (state === "sent" && copies.length === 0)) {
      wrong(`Message ${id} is ${state} and came ${copies.length} times`);
    }
    for (const [at, copy] of copies.slice(1).entries()) {
      again += 1;
      const before = copies[at] ?? 0;
      if (!kills.some((each) => before - LATE_MS <= each && each <= copy)) {
        wrong(`Message ${id} came twice, without a kill`);
      }
    }
  }
  for (const id of mails.keys()) {
    if (!known.has(id)) wrong(`Nobody knows of message ${id}`);
  }
  return again;
}
