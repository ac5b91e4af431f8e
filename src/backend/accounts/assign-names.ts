import type { SQL } from "bun";
import { foldLabel } from "../../shared/text.ts";
import { chunks } from "../database/bulk-rows.ts";
import { createYielder } from "../database/event-loop.ts";
import { registrarLabel, type AccountRow } from "./stored-accounts.ts";
import {
  isRegistered,
  isSameRegistrar,
  readRegistry,
  SURE_LISTS,
  toldOf,
  type NameRow,
} from "./names.ts";

/** A domain of the register as far as it decides which account has it. */
interface Holding {
  id: string;
  name: string;
  account_key: string | null;
  registrar_key: string | null;
  status: string | null;
}

/** The row of a name in an account, with that account's labels. */
type OtherRow = NameRow &
  Pick<AccountRow, "registrar" | "label" | "label_key" | "source_key" | "shrunk_since">;

/** The domains of some names, and of those that the register has under this account's label. */
export async function readHoldings(
  sql: SQL,
  account: AccountRow,
  names: readonly string[],
): Promise<Map<string, Holding & { isClaim: boolean }>> {
  const found: Holding[] = [];
  const holdings = sql`select id, name, account_key, registrar_key, status from domains`;
  for (const batch of chunks(names)) {
    found.push(...(await sql<Holding[]>`${holdings} where name in ${sql(batch)}`));
  }
  const claims = await sql<Holding[]>`
    ${holdings} where account_key = ${account.label_key}
      and (registrar_key is null or registrar_key = ${foldLabel(registrarLabel(account))})
      and not exists (select 1 from account_names n where n.name = domains.name and n.holds = 1)`;
  const claimed = new Set(claims.map(({ name }) => name));
  const all = [...found, ...claims];
  return new Map(all.map((row) => [row.name, { ...row, isClaim: claimed.has(row.name) }]));
}

/**
 * Decides which account has each domain that this one has or lists. One that lists it as registered has
 * it; of two, the first, until the other has listed it twice and the registry names its registrar.
 * Returns in `away` what another account has from now on.
 */
export async function assignNames(
  sql: SQL,
  account: AccountRow,
  rows: ReadonlyMap<string, NameRow>,
  domains: ReadonlyMap<string, Holding>,
): Promise<{ away: OtherRow[]; elsewhere: Set<string>; labelKeys: Set<string> }> {
  const { registrar, label, label_key, source_key, shrunk_since } = account;
  const accounts = await sql<AccountRow[]>`select * from registrar_accounts`;
  const labelKeys = new Set(accounts.map((each) => each.label_key));
  const others = await readOthers(sql, account.id, [...domains.keys()], accounts.length > 1);
  const away: OtherRow[] = [];
  const elsewhere = new Set<string>();
  const released: string[] = [];
  const yielder = createYielder();
  for (const row of rows.values()) {
    await yielder();
    const domain = domains.get(row.name);
    if (domain === undefined) continue;
    const mine: OtherRow = { ...row, registrar, label, label_key, source_key, shrunk_since };
    const rivals = others.get(row.name) ?? [];
    const all = [mine, ...rivals];
    if (rivals.some(isListing)) elsewhere.add(row.name);
    const holder = all.find(({ holds }) => holds === 1);
    const next = await decideHolder(sql, all, holder, { domain, accounts, account });
    if (next === undefined || next === holder) continue;
    if (holder !== undefined) {
      if (holder !== mine) released.push(holder.id);
      else Object.assign(row, { holds: 0, vanished_at: null });
    }
    if (next === mine) row.holds = 1;
    else away.push(next);
  }
  for (const batch of chunks(released)) {
    await sql`update account_names set holds = 0, vanished_at = null where id in ${sql(batch)}`;
  }
  for (const batch of chunks(away.map(({ id }) => id))) {
    await sql`update account_names set holds = 1 where id in ${sql(batch)}`;
  }
  return { away, elsewhere, labelKeys };
}

async function readOthers(
  sql: SQL,
  id: string,
  names: readonly string[],
  hasOthers: boolean,
): Promise<Map<string, OtherRow[]>> {
  const found: OtherRow[] = [];
  for (const batch of hasOthers ? chunks(names) : []) {
    found.push(
      ...(await sql<OtherRow[]>`
        select n.*, a.registrar, a.label, a.label_key, a.source_key, a.shrunk_since
        from account_names n join registrar_accounts a on a.id = n.account_id
        where n.account_id <> ${id} and n.name in ${sql(batch)}`),
    );
  }
  return Map.groupBy(found, ({ name }) => name);
}

/** Whether an account lists a name as registered, as far as its lists are believed. */
function isListing(row: OtherRow): boolean {
  const { place, missing_since: missing, shrunk_since: since } = row;
  const isUnbelieved = place === "absent" && since !== null && missing !== null && missing >= since;
  return (place === "listed" || isUnbelieved) && isRegistered(toldOf(row));
}

async function decideHolder(
  sql: SQL,
  all: readonly OtherRow[],
  holder: OtherRow | undefined,
  register: { domain: Holding; accounts: readonly AccountRow[]; account: AccountRow },
): Promise<OtherRow | undefined> {
  const [mine] = all;
  const { domain, accounts, account } = register;
  if (holder === undefined) {
    // The register has it under the label of an account that has not been read yet.
    const isOthers = accounts.some(
      ({ id, label_key, complete_at }) =>
        id !== account.id && label_key === domain.account_key && complete_at === null,
    );
    return mine !== undefined && isListing(mine) && !isOthers ? mine : undefined;
  }
  const rivals = all.filter((row) => row !== holder && row.place === "listed" && isListing(row));
  if (!isListing(holder)) return rivals[0];
  const sure = rivals.filter(
    ({ lists, place_since: since }) => lists >= SURE_LISTS && since > holder.place_since,
  );
  if (sure.length === 0) return holder;
  const said = (await readRegistry(sql, [domain.id])).get(domain.id)?.registrar ?? null;
  const isThere = (row: OtherRow) => said === null || isSameRegistrar(said, row.registrar);
  return sure.find(isThere) ?? holder;
}

/**
 * Registrar and account of a name that comes to an account. A domain keeps the word for the account that
 * a person chose, unless that names one of ours.
 */
export function labelsOf(
  domain: Holding | undefined,
  account: Pick<AccountRow, "registrar" | "label">,
  labelKeys: ReadonlySet<string>,
) {
  const key = domain?.account_key ?? null;
  // A person has said that it is there.
  if (key === foldLabel(account.label) && domain?.registrar_key === null) return {};
  const keepsAccount = key !== null && !labelKeys.has(key);
  return { registrar: registrarLabel(account), ...(!keepsAccount && { account: account.label }) };
}
