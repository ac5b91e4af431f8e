import type { ImportCounts } from "../../../shared/import-contract.ts";
import { statement, type Statement } from "../../database/statement.ts";
import { fieldColumns } from "./field-columns.ts";
import type { RowRange } from "./row-range.ts";

/**
 * Who commits which import, when. A row key behind `stamp` is the id of an observation, behind `turn`
 * that of a change: the history goes by its ids, and others may have written since the commit began.
 */
export interface CommitStamp {
  importId: string;
  stamp: string;
  turn: string;
  email: string;
  at: string;
}

/** What is known of all rows: statements that would find nothing are left out. */
export interface RowsInAll {
  /** What is changed of names that are there; null is any field. */
  fields: ReadonlySet<string> | null;
  counts: ImportCounts;
  /** The one registrar of all of them; null: several, or none. */
  registrarKey: string | null;
}

/**
 * Makes a range of staged rows part of the register, but for their tags. The plans must be of this
 * very moment. Whatever goes into an index goes in by its order, so that each page is written once.
 */
export function copyRows(
  range: RowRange,
  commit: CommitStamp,
  { fields, counts, registrarKey }: RowsInAll,
): Statement[] {
  return [
    registrarKey === null ? keepRegistrars(range) : keepRegistrar(range),
    ...(counts.new > 0 ? [addDomains(range, commit)] : []),
    ...(counts.changed > 0 ? [editDomains(range, commit, fields)] : []),
    addObservations(range, commit),
    addChanges(range, commit),
  ];
}

function keepRegistrars({ from, to }: RowRange): Statement {
  return statement`insert into registrars (label_key, label)
    select registrar_key, min(registrar) from import_rows
    where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed')
      and registrar_key is not null
    group by registrar_key
    on conflict (label_key) do nothing`;
}

/** Where all have the same one, the first row tells it. */
function keepRegistrar({ from, to }: RowRange): Statement {
  return statement`insert into registrars (label_key, label)
    select registrar_key, registrar from import_rows
    where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed')
    order by lookup limit 1
    on conflict (label_key) do nothing`;
}

function addDomains({ from, to }: RowRange, { at }: CommitStamp): Statement {
  return statement`insert into domains (
      id, version, name, unicode, tld, registrar_key, account, account_key, owner, owner_key,
      decision, auto_renew, expires_on, expires_source, expires_observed_at, expires_conflict,
      renewal_minor, renewal_currency, renewal_years, created_at, updated_at, notes)
    select domain_id, 1, name, unicode, tld, registrar_key, account, account_key, owner, owner_key,
      decision, auto_renew, expires_on, expires_source,
      case when expires_on is null then null else coalesce(expires_observed_at, ${at}) end,
      expires_conflict, renewal_minor, renewal_currency, renewal_years, ${at}, ${at}, notes
    from import_rows where lookup > ${from} and lookup <= ${to} and class = 'new' order by lookup
    on conflict (name) do nothing`;
}

function editDomains(
  { from, to }: RowRange,
  { at }: CommitStamp,
  fields: ReadonlySet<string> | null,
): Statement {
  const columns = fieldColumns(fields).map((column) => `, ${column} = r.${column}`);
  return {
    texts: [
      "update domains set version = domains.version + 1, updated_at = ",
      `${columns.join("")} from (
        select domain_id, registrar_key, account, account_key, owner, owner_key, decision,
          auto_renew, expires_on, expires_source, expires_conflict, renewal_minor,
          renewal_currency, renewal_years, notes,
          case when expires_on is null then null else coalesce(expires_observed_at, `,
      `) end as expires_observed_at
        from import_rows where lookup > `,
      " and lookup <= ",
      " and class = 'changed' order by lookup) r where domains.id = r.domain_id",
    ],
    values: [at, at, from, to],
  };
}

function addObservations({ from, to }: RowRange, { stamp, at }: CommitStamp): Statement {
  return statement`insert into observations (id, domain_id, kind, source, value, observed_at)
    select ${stamp} || row_key, domain_id, 'expires', observed_source, observed_day, ${at}
    from import_rows where lookup > ${from} and lookup <= ${to}
      and class in ('new', 'changed') and observed_day is not null order by id`;
}

function addChanges({ from, to }: RowRange, commit: CommitStamp): Statement {
  return statement`insert into changes (id, domain_id, at, made_by, action, fields, import_id)
    select ${commit.turn} || row_key, domain_id, ${commit.at}, ${commit.email},
      case when class = 'new' then 'added' else 'edited' end, changes, ${commit.importId}
    from import_rows where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed')
    order by id`;
}
