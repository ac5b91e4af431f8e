import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import type { AccountName, NameClass, NameSelection } from "../../shared/accounts.ts";
import type { DomainDetail } from "../../shared/domain-detail.ts";
import { chunks, insertRows, updateRows } from "../database/bulk-rows.ts";
import type { Fragment, Job } from "../database/database.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { isSameRegistrar } from "../domains/known-registrars.ts";
import { pageOf } from "../http/paging.ts";
import { RequestError } from "../http/request-error.ts";
import { toldOf, type KnownName } from "./name-states.ts";
import { CLASSES, registrarLabel, type AccountRow } from "./stored-accounts.ts";

export async function readNames(sql: SQL, where: Fragment): Promise<KnownName[]> {
  return sql<KnownName[]>`select * from account_names where ${where}`;
}

/** Writes what has become of stored names, and new ones: nothing else changes `account_names`. */
export async function saveNames(
  sql: SQL,
  stored: readonly KnownName[],
  rows: readonly KnownName[],
  forgotten: readonly KnownName[] = [],
): Promise<void> {
  const before = new Map(stored.map((row) => [row.id, row]));
  for (const batch of chunks(forgotten.map(({ id }) => id))) {
    await sql`delete from account_names where id in ${sql(batch)}`;
  }
  for (const batch of chunks(rows.filter(({ id }) => !before.has(id)))) {
    await insertRows(sql, "account_names", batch);
  }
  const changed = rows.filter((row) => {
    const old = before.get(row.id);
    return old !== undefined && !Bun.deepEquals(old, row);
  });
  for (const batch of chunks(changed)) await updateRows(sql, "account_names", batch);
}

/** What the registry said last of some domains: its registrar, or that it knows no such name. */
export async function readRegistry(
  sql: SQL,
  domainIds: readonly string[],
): Promise<Map<string, { registrar: string | null; isMissing: boolean }>> {
  const registry: Awaited<ReturnType<typeof readRegistry>> = new Map();
  for (const batch of chunks(domainIds)) {
    const rows = await sql<{ id: string; outcome: string | null; result: string | null }[]>`
      select domain_id as id, outcome, result from checks
      where kind = 'registry' and domain_id in ${sql(batch)}`;
    for (const { id, outcome, result } of rows) {
      const found: unknown = result === null ? null : JSON.parse(result)?.registrar;
      const registrar = typeof found === "string" ? found : null;
      registry.set(id, { registrar, isMissing: outcome === "not-found" });
    }
  }
  return registry;
}

export const listNames: Job<
  { account: AccountRow; class: NameClass; after: string; limit: number },
  { items: AccountName[]; next: string | null }
> = {
  name: "list names of an account",
  async run(sql, { account, class: of, after, limit }) {
    const rows = await sql<(KnownName & { domain_id: string | null; archived_on: Day | null })[]>`
    select n.*, d.id as domain_id, d.archived_on from account_names n left join domains d on d.name = n.name
    where n.account_id = ${account.id} and ${CLASSES[of](sql)} and n.name > ${after}
    order by n.name limit ${limit + 1}`;
    const { page, next } = pageOf(rows, limit, ({ name }) => name);
    const others = await listElsewhere(sql, account.id, page);
    const vanished = of === "vanished" ? page.flatMap(({ domain_id }) => domain_id ?? []) : [];
    const registry = await readRegistry(sql, vanished);
    const items = page.map((row): AccountName => {
      const parsed = parseDomainName(row.name);
      const also = others.filter(({ name }) => name === row.name);
      const archivedOn = of === "refused" ? row.archived_on : null;
      const reason =
        of === "vanished"
          ? whyVanished(row, registrarLabel(account), also, registry.get(row.domain_id ?? ""))
          : archivedOn === null
            ? (whereElse(row, also) ?? row.reason)
            : "Archived here.";
      const unicode = "code" in parsed ? row.name : parsed.unicode;
      const since = archivedOn ?? sinceOf(row, of);
      return Object.assign(toldOf(row), { name: row.name, unicode, since, reason });
    });
    return { items, next };
  },
};

/** The account that no longer has a domain of the register, and why where that is known. */
export async function findVanished(sql: SQL, domainId: string): Promise<DomainDetail["vanished"]> {
  const [row] = await sql<(KnownName & Pick<AccountRow, "label" | "registrar">)[]>`
    select n.*, a.label, a.registrar from domains d join account_names n on n.name = d.name
    join registrar_accounts a on a.id = n.account_id
    where d.id = ${domainId} and ${CLASSES.vanished(sql)}`;
  if (row === undefined) return null;
  const { account_id: account, label } = row;
  const others = await listElsewhere(sql, account, [row]);
  const registry = (await readRegistry(sql, [domainId])).get(domainId);
  const reason = whyVanished(row, registrarLabel(row), others, registry);
  return { account, label, since: sinceOf(row, "vanished"), reason };
}

type Elsewhere = Pick<KnownName, "name" | "place_since" | "holds"> & { label: string };

async function listElsewhere(
  sql: SQL,
  id: string,
  rows: readonly KnownName[],
): Promise<Elsewhere[]> {
  if (rows.length === 0) return [];
  return sql<Elsewhere[]>`
    select n.name, n.place_since, n.holds, a.label from account_names n
    join registrar_accounts a on a.id = n.account_id
    where n.account_id <> ${id} and n.place = 'listed' and n.name in ${sql(rows.map((row) => row.name))}
    order by a.label`;
}

/** A name in two accounts stays where it was seen first until it is clear that it has moved. */
function whereElse(row: KnownName, others: readonly Elsewhere[]): string | null {
  const open = others.filter((other) =>
    row.holds === 1
      ? other.place_since >= row.place_since
      : other.holds === 1 && row.place_since >= other.place_since,
  );
  if (row.place !== "listed" || open.length === 0) return null;
  return `In more than one account: also in ${open.map(({ label }) => `“${label}”`).join(", ")}.`;
}

function whyVanished(
  row: KnownName,
  ours: string,
  others: readonly Elsewhere[],
  registry: { registrar: string | null; isMissing: boolean } | undefined,
): string | null {
  if (row.place === "left")
    return `The account reports that it left: ${row.reason ?? "no reason given"}`;
  const [other] = others;
  if (other !== undefined) return `It is in another account of yours: “${other.label}”.`;
  if (registry?.isMissing) return "The registry doesn’t know this name.";
  const at = registry?.registrar ?? null;
  if (at === null || isSameRegistrar(at, ours)) return null;
  return `The registry shows another registrar: ${at}.`;
}

function sinceOf(row: KnownName, of: NameClass): string {
  // One that was deleted in the register is refused, too.
  const at = of === "vanished" ? row.vanished_at : of === "refused" ? row.refused_at : null;
  return (at ?? row.place_since).slice(0, 10);
}

/**
 * The rows of names that a person accepts or refuses, `withRefused` those too that are named and were
 * refused before.
 *
 * @throws {RequestError} 409 with `count` where another number is new by now.
 */
export async function selectNames(
  sql: SQL,
  accountId: string,
  selection: NameSelection,
  withRefused: boolean,
): Promise<KnownName[]> {
  const isNamed = "names" in selection;
  const names = (isNamed ? selection.names : []).flatMap((given) => {
    const parsed = parseDomainName(given);
    return "code" in parsed ? [] : parsed.name;
  });
  const orRefused = isNamed && withRefused ? sql`or ${CLASSES.refused(sql)}` : sql``;
  const named = isNamed ? sql`and n.name in ${sql(names)}` : sql``;
  const rows = await sql<KnownName[]>`
    select n.* from account_names n left join domains d on d.name = n.name
    where n.account_id = ${accountId} and (${CLASSES.new(sql)} ${orRefused}) ${named}
    order by n.name`;
  const count = rows.length;
  if (isNamed || count === selection.expectedCount) return rows;
  const detail = `Nothing was changed: the number of new names is ${count} now, not ${selection.expectedCount}.`;
  throw new RequestError(409, detail, { count });
}
