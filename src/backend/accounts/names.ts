import type { SQL } from "bun";
import type { AccountName, NameClass, NameSelection } from "../../shared/accounts.ts";
import type { Instant } from "../../shared/day.ts";
import type { DomainDetail } from "../../shared/domain.ts";
import type { ImportValues } from "../../shared/import.ts";
import type { SqlRow } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { findKnownRegistrar } from "../domains/known-registrars.ts";
import { foldStatus } from "../domains/registrar-status.ts";
import { type SourceRow } from "../merge/plan-rows.ts";
import { foldLabel } from "../../shared/text.ts";
import { CLASSES, registrarLabel, type AccountRow } from "./stored-accounts.ts";
import { NOTHING_TOLD, type Told } from "./reading.ts";

/** A row of `account_names`: a name that an account has, or has had. */
export interface NameRow extends SqlRow {
  id: string;
  account_id: string;
  name: string;
  /** Where the last complete list had it. */
  place: "listed" | "left" | "skipped" | "absent";
  /** Since when it is there; of what is absent, since when it was where it was before. */
  place_since: Instant;
  /** JSON of `Told`. */
  told: string;
  reason: string | null;
  /** When its details were asked for. */
  detail_at: Instant | null;
  /** Complete lists in a row that have it as registered, at most 2. */
  lists: number;
  /** 1: it is in the register from this account, one of them where several list it. */
  holds: number;
  /** The first complete list that lacked it. */
  missing_since: Instant | null;
  /** Since when it is flagged as vanished. */
  vanished_at: Instant | null;
  /** When a person did not want it. */
  refused_at: Instant | null;
  /** The operation that accepted or refused it. */
  operation: string | null;
}

/** Complete lists by which a name is known to be in an account. */
export const SURE_LISTS = 2;

export function toldOf({ told }: Pick<NameRow, "told">): Told {
  return { ...NOTHING_TOLD, ...JSON.parse(told) };
}

/** Whether a list has a name as registered: one that is still to come is not there yet. */
export function isRegistered({ status }: Pick<Told, "status">): boolean {
  return status !== "pending" && status !== "transferring-in";
}

/** What is told of a name, as a row to be merged. What is null is absent, and overwrites nothing. */
export function sourceRow(
  line: number,
  name: string,
  told: Told,
  labels: Pick<ImportValues, "registrar" | "account">,
): SourceRow {
  const parsed = parseDomainName(name);
  const { expires, autoRenew, locked, privacy, nameservers, price } = told;
  const status = statusOf(told);
  const values: ImportValues = {
    ...labels,
    ...(expires !== null && { expires }),
    ...(autoRenew !== null && { autoRenew }),
    ...(locked !== null && { locked }),
    ...(privacy !== null && { privacy }),
    ...(nameservers !== null && nameservers.length > 0 && { nameservers }),
    ...(price !== null && { renewal: price }),
    ...(status !== null && { status }),
  };
  return { line, name: "code" in parsed ? null : parsed, values, problems: [], repeats: null };
}

/** The registrar's own word, where the register knows it; else ours for what it means. */
function statusOf({ status, statusRaw }: Told): string | null {
  const word = statusRaw?.slice(0, 100) ?? null;
  if (word !== null && (status === null || status === "unknown" || foldStatus(word) !== null)) {
    return word;
  }
  return status === null ? null : status.replace("-", " ");
}

/** Whether two names, such as "GoDaddy.com, LLC" and "GoDaddy", are of one registrar. */
export function isSameRegistrar(one: string, other: string): boolean {
  const nameOf = (label: string) => foldLabel(findKnownRegistrar(label)?.name ?? label);
  const [a, b] = [nameOf(one), nameOf(other)];
  return a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `) || a.startsWith(`${b}.`);
}

/** What the registry said last of some domains: its registrar, or that it knows no such name. */
export async function readRegistry(
  sql: SQL,
  domainIds: readonly string[],
): Promise<Map<string, { registrar: string | null; isMissing: boolean }>> {
  if (domainIds.length === 0) return new Map();
  const rows = await sql<{ id: string; outcome: string | null; result: string | null }[]>`
    select domain_id as id, outcome, result from checks
    where kind = 'registry' and domain_id in ${sql([...domainIds])}`;
  return new Map(
    rows.map(({ id, outcome, result }) => {
      const found: unknown = result === null ? null : JSON.parse(result)?.registrar;
      const registrar = typeof found === "string" ? found : null;
      return [id, { registrar, isMissing: outcome === "not-found" }];
    }),
  );
}

/** A page of one class, by name. */
export const listNames: Job<
  { account: AccountRow; class: NameClass; after: string; limit: number },
  { items: AccountName[]; next: string | null }
> = {
  name: "list names of an account",
  async run(sql, { account, class: of, after, limit }) {
    const rows = await sql<(NameRow & { domain_id: string | null })[]>`
    select n.*, d.id as domain_id from account_names n left join domains d on d.name = n.name
    where n.account_id = ${account.id} and ${CLASSES[of](sql)} and n.name > ${after}
    order by n.name limit ${limit + 1}`;
    const page = rows.slice(0, limit);
    const others = await listElsewhere(sql, account.id, page);
    const vanished = of === "vanished" ? page.flatMap(({ domain_id }) => domain_id ?? []) : [];
    const registry = await readRegistry(sql, vanished);
    const items = page.map((row): AccountName => {
      const parsed = parseDomainName(row.name);
      const { expiresAt: _, ...told } = toldOf(row);
      const also = others.filter(({ name }) => name === row.name);
      const reason =
        of === "vanished"
          ? whyVanished(row, registrarLabel(account), also, registry.get(row.domain_id ?? ""))
          : (whereElse(row, also) ?? row.reason);
      const unicode = "code" in parsed ? row.name : parsed.unicode;
      return { name: row.name, unicode, ...told, since: sinceOf(row, of), reason };
    });
    return { items, next: rows.length > limit ? (page.at(-1)?.name ?? null) : null };
  },
};

/** The account that no longer has a domain of the register, and why where that is known. */
export async function findVanished(sql: SQL, domainId: string): Promise<DomainDetail["vanished"]> {
  const [row] = await sql<(NameRow & Pick<AccountRow, "label" | "registrar">)[]>`
    select n.*, a.label, a.registrar from domains d join account_names n on n.name = d.name
    join registrar_accounts a on a.id = n.account_id
    where d.id = ${domainId} and ${CLASSES.vanished(sql)}`;
  if (row === undefined) return null;
  const { account_id: account, label } = row;
  const others = await listElsewhere(sql, account, [row]);
  const registry = (await readRegistry(sql, [domainId])).get(domainId);
  const reason = whyVanished(row, registrarLabel(row), others, registry);
  return { account, label, since: row.vanished_at?.slice(0, 10) ?? "", reason };
}

type Elsewhere = Pick<NameRow, "name" | "place" | "place_since" | "holds"> & { label: string };

/** Where else some names are listed. */
async function listElsewhere(sql: SQL, id: string, rows: readonly NameRow[]): Promise<Elsewhere[]> {
  if (rows.length === 0) return [];
  return sql<Elsewhere[]>`
    select n.name, n.place, n.place_since, n.holds, a.label from account_names n
    join registrar_accounts a on a.id = n.account_id
    where n.account_id <> ${id} and n.place = 'listed' and n.name in ${sql(rows.map((row) => row.name))}
    order by a.label`;
}

/** A name in two accounts stays where it was seen first until it is clear that it has moved. */
function whereElse(row: NameRow, others: readonly Elsewhere[]): string | null {
  const open = others.filter((other) =>
    row.holds === 1
      ? other.place_since >= row.place_since
      : other.holds === 1 && row.place_since >= other.place_since,
  );
  if (row.place !== "listed" || open.length === 0) return null;
  return `In two accounts: also in ${open.map(({ label }) => `“${label}”`).join(", ")}.`;
}

function whyVanished(
  row: NameRow,
  ours: string,
  others: readonly Elsewhere[],
  registry: { registrar: string | null; isMissing: boolean } | undefined,
): string | null {
  if (row.place === "left")
    return `The account lists it as left: ${row.reason ?? "no reason given"}`;
  const [other] = others;
  if (other !== undefined) return `It is in another account of yours: “${other.label}”.`;
  if (registry?.isMissing) return "The registry shows no such name.";
  const at = registry?.registrar ?? null;
  if (at === null || isSameRegistrar(at, ours)) return null;
  return `The registry shows another registrar: ${at}.`;
}

function sinceOf(row: NameRow, of: NameClass): string {
  const at = of === "vanished" ? row.vanished_at : of === "refused" ? row.refused_at : null;
  return (at ?? row.place_since).slice(0, 10);
}

/**
 * The rows of names that a person accepts or refuses, `withRefused` those too that are named and were
 * refused before; a number where another one is new by now.
 */
export async function selectNames(
  sql: SQL,
  accountId: string,
  selection: NameSelection,
  withRefused: boolean,
): Promise<NameRow[] | number> {
  const isNamed = "names" in selection;
  const names = (isNamed ? selection.names : []).flatMap((given) => {
    const parsed = parseDomainName(given);
    return "code" in parsed ? [] : parsed.name;
  });
  const orRefused = isNamed && withRefused ? sql`or ${CLASSES.refused(sql)}` : sql``;
  const named = isNamed ? sql`and n.name in ${sql(["", ...names])}` : sql``;
  const rows = await sql<NameRow[]>`
    select n.* from account_names n left join domains d on d.name = n.name
    where n.account_id = ${accountId} and (${CLASSES.new(sql)} ${orRefused}) ${named}
    order by n.name`;
  return isNamed || rows.length === selection.expectedCount ? rows : rows.length;
}
