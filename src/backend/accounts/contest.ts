import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import type { ImportValues } from "../../shared/import.ts";
import { foldLabel } from "../../shared/text.ts";
import { chunks } from "../database/bulk-rows.ts";
import type { Fragment } from "../database/database.ts";
import { yieldIfBusy } from "../database/event-loop.ts";
import { become, findHolder, isListing, lack, type KnownName } from "./name-states.ts";
import { readNames, readRegistry } from "./names.ts";
import { registrarLabel, type AccountRow } from "./stored-accounts.ts";

/** What an account and its registrar are called in the register. */
export type Labels = Pick<ImportValues, "registrar" | "account">;

/** A domain of the register as far as it decides which account has it. */
interface Holding {
  id: string;
  name: string;
  account_key: string | null;
  registrar_key: string | null;
  status: string | null;
}

export type Domains = ReadonlyMap<string, Holding>;

export async function readHoldings(sql: SQL, names: readonly string[]): Promise<Domains> {
  const domains = new Map<string, Holding>();
  for (const batch of chunks(names)) {
    const found = await selectHoldings(sql, sql`name in ${sql(batch)}`);
    for (const domain of found) domains.set(domain.name, domain);
  }
  return domains;
}

async function selectHoldings(sql: SQL, where: Fragment): Promise<Holding[]> {
  return sql<Holding[]>`
    select id, name, account_key, registrar_key, status from domains where ${where}`;
}

/** The domains that the register has under an account's label, and from no account. */
export function readClaims(sql: SQL, account: AccountRow): Promise<Holding[]> {
  return selectHoldings(
    sql,
    sql`account_key = ${account.label_key}
      and (registrar_key is null or registrar_key = ${foldLabel(registrarLabel(account))})
      and not exists (select 1 from account_names n where n.name = domains.name and n.holds = 1)`,
  );
}

/** Whether the register has a domain under an account's label. */
function isUnder({ account_key: key, registrar_key: at }: Holding, account: AccountRow): boolean {
  const isThere = at === null || at === foldLabel(registrarLabel(account));
  return key === account.label_key && isThere;
}

export type Contest = Awaited<ReturnType<typeof readContest>>;

/** What decides between the account whose list came and others that know its names. */
export async function readContest(sql: SQL, account: AccountRow, domains: Domains) {
  const all = await sql<AccountRow[]>`select * from registrar_accounts`;
  const accounts = new Map(all.map((each) => [each.id, each.id === account.id ? account : each]));
  const rest = all.filter(({ id }) => id !== account.id);
  const unread = rest.filter((each) => each.complete_at === null);
  const rows: KnownName[] = [];
  for (const batch of all.length > 1 ? chunks([...domains.keys()]) : []) {
    const where = sql`account_id <> ${account.id} and name in ${sql(batch)}`;
    rows.push(...(await readNames(sql, where)));
  }
  const others = Map.groupBy(rows, ({ name }) => name);
  const isUnderOneOf = (domain: Holding, some: readonly AccountRow[]) =>
    !isUnder(domain, account) && some.some((each) => isUnder(domain, each));
  const contested = [...others.keys()].flatMap((name) => domains.get(name)?.id ?? []);
  return {
    accounts,
    others,
    registry: await readRegistry(sql, contested),
    isUnderOther: (domain: Holding) => isUnderOneOf(domain, rest),
    /** The register has it under the label of an account that has not been read yet. */
    isClaimed: (domain: Holding) => isUnderOneOf(domain, unread),
    /**
     * Registrar and account of a name that comes to an account. A domain keeps what a person calls its
     * account, unless that is the label of one of ours.
     */
    labelsOf(domain: Holding | undefined, { registrar, label }: AccountRow): Labels {
      const key = domain?.account_key ?? null;
      // A person has said that it is there.
      if (key === foldLabel(label) && domain?.registrar_key === null) return {};
      const keepsAccount = key !== null && all.every(({ label_key }) => label_key !== key);
      return { registrar: registrarLabel({ registrar }), ...(!keepsAccount && { account: label }) };
    },
  };
}

/** Decides which account has each domain, and what is gone. Returns the rows of others that change. */
export async function settleNames(
  rows: Map<string, KnownName>,
  domains: Domains,
  { accounts, others, registry, isClaimed }: Contest,
  { isBelieved, at }: { isBelieved: boolean; at: Instant },
): Promise<KnownName[]> {
  const moved: KnownName[] = [];
  for (const [name, row] of rows) {
    await yieldIfBusy();
    const domain = domains.get(name);
    const rivals = others.get(name) ?? [];
    let mine: KnownName | null = row;
    if (domain !== undefined) {
      const { registrar = null } = registry.get(domain.id) ?? {};
      const about = { isClaimed: isClaimed(domain), registrar };
      const holder = findHolder(row, rivals, accounts, about);
      const settle = (each: KnownName) =>
        become(each, each === holder ? "assigned" : "released", at);
      if (holder !== undefined) {
        mine = settle(row);
        moved.push(...rivals.map(settle).filter((each) => !rivals.includes(each)));
      }
    }
    if (isBelieved) {
      const isElsewhere = rivals.some((each) => isListing(each, accounts.get(each.account_id)));
      mine = lack(mine, { at, hasDomain: domain !== undefined, isElsewhere });
    }
    if (mine === null) rows.delete(name);
    else if (mine !== row) rows.set(name, mine);
  }
  return moved;
}
