import { expect } from "bun:test";
import { GROUP_ACTIONS } from "../../../src/shared/advice.ts";
import { parseCostReport, type CostGroup, type CostReport } from "../../../src/shared/costs.ts";
import { addDays, daysBetween, firstOfMonth, utcToday } from "../../../src/shared/day.ts";
import { parseDomainPage, type Domain } from "../../../src/shared/domain.ts";
import { facetOf, LABEL_FIELDS, recordOf } from "../../../src/shared/fields.ts";
import { parseBinPage } from "../../../src/shared/operations.ts";
import { parseFacets, parseYearlyCosts, type Facet } from "../../../src/shared/facets.ts";
import { parseSummary, type Summary } from "../../../src/shared/register.ts";
import { MANUAL } from "../../../src/shared/source.ts";
import { foldLabel } from "../../../src/shared/text.ts";
import { dueDay, isLapsed, workOf, type Work } from "../../../src/shared/work.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { test } from "../../support/owner-test.ts";
import { importFile } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";
import { createRandom } from "../../support/random.ts";

/** By hand also 10,000, with another seed. */
const OPERATIONS = Number(process.env["RANDOM_OPERATIONS"] ?? 30);
const SEED = Number(process.env["RANDOM_SEED"] ?? 7);
/** How often everything is counted anew. */
const CHECKS = 2;
const TIMEOUT_MS = 60_000 + OPERATIONS * 1000;

const TODAY = utcToday();
const MONTH = TODAY.slice(0, 7);
const YEAR_END = firstOfMonth(TODAY, 12);

function createChoices(seed: number) {
  const { below, pick } = createRandom(seed);
  const day = () => `${Number(TODAY.slice(0, 4)) - 1 + below(4)}-0${1 + below(9)}-1${below(10)}`;
  const money = () => ({ minor: below(5000), currency: pick(["EUR", "USD", "JPY", null]) });
  const name = () => `n${below(25)}.${pick(["com", "de", "co.uk", "example"])}`;
  return { below, pick, day, money, name };
}

type Random = ReturnType<typeof createChoices>;

/** Some fields of a domain, as an edit of one or of many takes them. */
function randomFields({ below, pick, day, money }: Random, people: readonly string[]) {
  const all = {
    registrar: pick(["GoDaddy", "godaddy", "Gandi", "OVH", null]),
    account: pick(["main", "Main", "other", null]),
    owner: pick(["Ada", "ADA", "Bob", null]),
    person: pick([...people, null]),
    decision: pick(["keep", "drop", "transfer", "watch", null]),
    autoRenew: pick([true, false, null]),
    expires: pick([day(), day(), day(), null]),
    renewal: pick([{ ...money(), years: 1 + below(3) }, money(), null]),
    status: pick(["Active", "Cancelled", "odd", null]),
    purchasePrice: pick([money(), null]),
    purchasedOn: pick([day(), null]),
    soldPrice: pick([money(), null, null, null]),
    soldOn: pick([day(), null, null, null]),
    notes: "",
  };
  return Object.fromEntries(
    Object.entries(all).filter(([field]) => field === "notes" || below(3) > 0),
  );
}

/** Changes a register at random through its API. */
async function changeAtRandom(client: ApiClient, random: Random, people: readonly string[]) {
  const { below, pick, day, name } = random;
  const operations: string[] = [];
  const imports: string[] = [];
  const send = async (method: string, path: string, json?: object) => {
    const headers = { "If-Match": "*" };
    const response = await client.request(path, { method, headers, ...(json && { json }) });
    // What is there already, is gone, or may not be undone any more is refused, and changes nothing.
    expect([200, 201, 404, 409]).toContain(response.status);
    const { operation }: { operation?: string | null } = await response.json();
    if (operation) operations.push(operation);
  };
  const fields = () => randomFields(random, people);
  const custom = () => pick([{ Client: "a" }, { client: "b", Vertrag: "1" }, { Vertrag: "2" }]);
  const tags = () => pick([["client"], ["Client", "shop"], ["park"]]);
  const bulk = async (op: object) => {
    const ids = (await listAll(client)).filter(() => below(4) === 0).map(({ id }) => id);
    if (ids.length > 0) await send("POST", "/api/domains/bulk", { select: { ids }, op });
  };
  const add = () =>
    send("POST", "/api/domains", { ...fields(), name: name(), tags: tags(), custom: custom() });
  const price = (tld: string) => ({ tld, minor: below(900), currency: "EUR", years: 1 + below(2) });
  const kinds: [weight: number, change: () => Promise<unknown>][] = [
    [5, add],
    [8, async () => send("PATCH", `/api/domains/${(await anyOf()).id}`, edit())],
    [3, () => bulk({ kind: "edit", ...fields(), addTags: tags() })],
    [2, () => bulk({ kind: "edit", custom: pick([{ Client: "" }, { Vertrag: "3", X: "y" }]) })],
    [4, () => bulk({ kind: pick(["renewed", "done"]) })],
    [1, () => bulk({ kind: "delete" })],
    [2, async () => send("DELETE", `/api/domains/${(await anyOf()).id}`)],
    [1, () => restore()],
    [6, () => undo()],
    [4, async () => imports.push((await importFile(client, file())).id)],
    [2, () => send("POST", `/api/imports/${imports.pop() ?? people[0]}/undo`)],
    [1, () => send("PATCH", "/api/registrars/gandi", { prices: [price("com"), price("co.uk")] })],
  ];
  const anyOf = async () => pick(await listAll(client));
  const edit = () => ({ ...fields(), ...pick([{}, { custom: custom() }, { tags: tags() }]) });
  const undo = async () => {
    const [operation] = operations.splice(below(operations.length), 1);
    if (operation !== undefined) await send("POST", `/api/operations/${operation}/undo`);
  };
  const restore = async () => {
    const { items } = parseBinPage(await client.json("/api/bin?limit=20"));
    const ids = items.map(({ id }) => id);
    if (ids.length > 0) await send("POST", "/api/bin/restore", { ids });
  };
  const file = () => {
    const names = new Set(Array.from({ length: 12 }, name));
    const rows = [...names].map((each) => `${each},${pick(["Gandi", "OVH"])},${day()},${below(3)}`);
    return ["Domain,Registrar,Expires,Room", ...rows].join("\n");
  };
  for (let each = 0; each < 5; each += 1) await add();
  const choices = kinds.flatMap(([weight, change]) => Array.from({ length: weight }, () => change));
  return async (count: number) => {
    for (let each = 0; each < count; each += 1) {
      if ((await listAll(client)).length === 0) await add();
      await pick(choices)();
    }
  };
}

async function listAll(client: ApiClient): Promise<Domain[]> {
  return parseDomainPage(await client.json("/api/domains?limit=200")).items;
}

const count = <T>(list: readonly T[], is: (item: T) => boolean) => list.filter(is).length;
const monthOf = (day: string | null) => day?.slice(0, 7) ?? "";
const kept = ({ decision, soldOn, soldPrice }: Domain) =>
  decision !== "drop" && soldOn === null && soldPrice === null;
const priceOf = ({ renewal, listPrice }: Domain) => renewal ?? listPrice;

/** Sums as text, by what they are sums of. */
function addUp(amounts: readonly (readonly [key: unknown, minor: number])[]): string[] {
  const sums = new Map<string, [minor: number, names: number]>();
  for (const [key, minor] of amounts) {
    const [sum, names] = sums.get(JSON.stringify(key)) ?? [0, 0];
    sums.set(JSON.stringify(key), [sum + minor, names + 1]);
  }
  return [...sums].map(([key, [minor, names]]) => `${key} ${minor.toFixed(3)} ${names}`).toSorted();
}

const sumsOf = (rows: CostReport["rows"]) =>
  rows
    .map(({ period, group, currency, minor, names }) => {
      const key = JSON.stringify([period, group && foldLabel(group), currency]);
      return `${key} ${minor.toFixed(3)} ${names}`;
    })
    .toSorted();

/** Home counted from the domains themselves. */
function summaryOf(domains: readonly Domain[], leadDays: number, next?: Summary["next"]) {
  const lapsed = domains.filter((domain) => isLapsed(domain, TODAY));
  const left = domains.filter((domain) => !lapsed.includes(domain));
  const isAhead = (due: string) => due >= TODAY && due < YEAR_END;
  const ahead = domains.filter((domain) => isAhead(dueDay(domain) ?? ""));
  const works = domains.flatMap((domain) => {
    const work = workOf(domain, { today: TODAY, leadDays });
    const days = daysBetween(TODAY, dueDay(domain) ?? TODAY);
    if (work === null) return [];
    if (work === "look") return { work, group: "look" };
    if (days < 8) return { work, group: days < 0 ? "expired" : days < 2 ? "today" : "week" };
    return { work, group: days < 31 ? "days30" : "days60" };
  });
  const groupOf = (name: string) => {
    const group = works.filter((each) => each.group === name);
    const ended = Object.values(GROUP_ACTIONS).map((kinds: readonly Work[]) =>
      count(group, ({ work }) => kinds.includes(work)),
    );
    const names = Math.max(...ended);
    return { total: group.length, likely: names === 0 ? null : { names } };
  };
  const end = next?.date ?? addDays(TODAY, leadDays + 1);
  const isSoon = (due: string) => due >= TODAY && due < end;
  const renewing = domains.filter((each) => kept(each) && isSoon(dueDay(each) ?? ""));
  const renewals = ahead.filter(kept);
  const ofMonth = (index: number) => {
    const month = monthOf(firstOfMonth(TODAY, index));
    const names = renewals.filter((domain) => monthOf(dueDay(domain)) === month);
    const isDropped = (domain: Domain) =>
      domain.decision === "drop" && kept({ ...domain, decision: null });
    return {
      month,
      names: names.length,
      renewing: count(names, ({ autoRenew }) => autoRenew === true),
      dropping: count(ahead, (domain) => monthOf(dueDay(domain)) === month && isDropped(domain)),
    };
  };
  return {
    total: domains.length,
    lapsed: lapsed.length,
    unknown: count(left, ({ expires }) => expires === null),
    conflicts: count(left, ({ expires }) => expires?.conflict === true),
    work: recordOf(["today", "expired", "week", "days30", "days60", "look"], groupOf),
    renewing: { names: count(renewing, ({ autoRenew }) => autoRenew === true) },
    expiries: Array.from({ length: 12 }, (_, index) => ofMonth(index)),
    unpriced: count(renewals, (domain) => priceOf(domain) === null),
  };
}

/** What renewals cost, by month, group and currency. */
function costsOf(domains: readonly Domain[], groupsOf: (domain: Domain) => (string | null)[]) {
  return addUp(
    domains.flatMap((domain) => {
      const [price, due] = [priceOf(domain), dueDay(domain) ?? ""];
      if (price === null || !kept(domain) || due < TODAY || due >= YEAR_END) return [];
      return groupsOf(domain).map((group) => {
        return [[monthOf(due), group && foldLabel(group), price.currency], price.minor] as const;
      });
    }),
  );
}

const GROUPS: { readonly [G in CostGroup]: (domain: Domain) => (string | null)[] } = {
  none: () => [null],
  registrar: ({ registrar }) => [registrar],
  owner: ({ owner }) => [owner],
  tag: ({ tags }) => (tags.length > 0 ? tags : [null]),
  tld: ({ name }) => [name.slice(name.lastIndexOf(".") + 1)],
};

/** The renewals paid, by month and currency, as the reports of each domain tell in their order. */
async function paidOf(database: Database, domains: readonly Domain[]) {
  type Report = { domain_id: string; source: string; value: string; observed_at: string };
  const reports = await database.read(
    (sql) => sql<Report[]>`select domain_id, source, value, observed_at from observations
      where kind = 'expires' and value is not null order by observed_at, id`,
  );
  const months = (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));
  const priced = new Map(domains.map((domain) => [domain.id, priceOf(domain)]));
  const paid = reports.flatMap(({ domain_id: id, source, value, observed_at }, at) => {
    const before = reports.slice(0, at).filter(({ domain_id }) => domain_id === id);
    const known = before.map((report) => report.value).toSorted();
    const isNews = source === MANUAL || before.some((report) => report.source === source);
    const years = Math.floor((months(value) - months(known.at(-1) ?? value) + 1) / 12);
    const price = priced.get(id);
    if (!price || !isNews || years < 1) return [];
    const minor = Math.round((price.minor * years) / (price.years ?? 1));
    return [[[monthOf(observed_at), null, price.currency], minor] as const];
  });
  return addUp(paid);
}

/** The values of a facet, folded, with how many domains have each. */
function facetsOf(domains: readonly Domain[], valuesOf: (domain: Domain) => (string | null)[]) {
  const values = domains.flatMap((each) => valuesOf(each));
  return addUp(values.map((value) => [value ?? "-", 0] as const));
}

const asFacets = (facets: readonly Facet[], fold = (value: string) => value) =>
  facets.map(({ value, names }) => `${JSON.stringify(fold(value))} 0.000 ${names}`).toSorted();

const folded = (value: string | null) => (value === null ? [] : [foldLabel(value)]);

test(
  "home, facets and costs are what a fresh count says, after anything that changes the register",
  async (client) => {
    const ben = await joinAs(client.server, { email: "ben@example.com", name: "Ben" });
    const cy = await joinAs(client.server, { email: "cy@example.com", name: "Cy" });
    const database = await client.server.openDatabase();
    const change = await changeAtRandom(client, createChoices(SEED), [ben.id, cy.id]);
    const readCosts = async (query: string) =>
      parseCostReport(await client.json(`/api/costs?today=${TODAY}&${query}`));
    let paidOnce = 0;
    for (let check = 0; check < CHECKS; check += 1) {
      await change(Math.ceil(OPERATIONS / CHECKS));
      const domains = await listAll(client);
      for (const person of ["all", "none", ben.id]) {
        const path = `/api/summary?today=${TODAY}&person=${person}`;
        const summary = parseSummary(await client.json(path));
        const isHis = (domain: Domain) => (domain.person?.id ?? "none") === person;
        const his = person === "all" ? domains : domains.filter(isHis);
        expect(summary).toMatchObject(summaryOf(his, summary.leadDays, summary.next));
        const isOpen = (each: Domain) => !["look", null].includes(workOf(each, summary));
        const nobody = domains.filter((each) => each.person === null && isOpen(each));
        expect(summary.nobody).toBe(person === ben.id ? nobody.length : 0);
        const costs = summary.costs.map(({ month, currency, minor, names }) => {
          return { period: month, group: null, currency, minor, names, renewing: 0 };
        });
        expect(sumsOf(costs)).toEqual(costsOf(his, GROUPS.none));
      }
      for (const [group, groupsOf] of Object.entries(GROUPS)) {
        const report = await readCosts(`group=${group}`);
        const rows = group === "none" ? report.totals : report.rows;
        expect([group, sumsOf(rows)]).toEqual([group, costsOf(domains, groupsOf)]);
        expect(report.unpriced).toBe(summaryOf(domains, 0).unpriced);
      }
      const report = await readCosts(`what=paid&from=${MONTH}&to=${MONTH}`);
      const paid = await paidOf(database, domains);
      expect(sumsOf(report.totals)).toEqual(paid);
      paidOnce += paid.length;

      const facets = parseFacets(await client.json("/api/facets"));
      for (const field of LABEL_FIELDS) {
        const expected = facetsOf(domains, (domain) => folded(domain[field]));
        expect([field, asFacets(facets[facetOf(field)], foldLabel)]).toEqual([field, expected]);
      }
      const words = (flag: boolean | null) => (flag === null ? null : String(flag));
      const exact: [Facet[], (domain: Domain) => (string | null)[]][] = [
        [facets.tlds, GROUPS.tld],
        [facets.decisions, ({ decision }) => [decision]],
        [facets.autoRenew, ({ autoRenew }) => [words(autoRenew)]],
        [facets.currencies, ({ renewal }) => (renewal === null ? [] : [renewal.currency])],
      ];
      for (const [found, valuesOf] of exact) {
        expect(asFacets(found)).toEqual(facetsOf(domains, valuesOf));
      }
      const tagged = facetsOf(domains, ({ tags }) => tags.map(foldLabel));
      expect(asFacets(facets.tags, foldLabel)).toEqual(tagged);
      const named = facetsOf(domains, ({ custom }) => Object.keys(custom).map(foldLabel));
      expect(asFacets(facets.custom, foldLabel)).toEqual(named);

      const yearly = parseYearlyCosts(await client.json(`/api/domains/cost?today=${TODAY}`));
      const sums = new Map<string | null, number>();
      for (const price of domains.flatMap((domain) => priceOf(domain) ?? [])) {
        const sum = (sums.get(price.currency) ?? 0) + price.minor / (price.years ?? 1);
        sums.set(price.currency, sum);
      }
      const rounded = [...sums].map(([currency, minor]) => [currency, Math.round(minor)] as const);
      const told = yearly.costs.map(({ currency, minor }) => [currency, minor] as const);
      expect(new Map(told)).toEqual(new Map(rounded));
    }
    expect(paidOnce).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
