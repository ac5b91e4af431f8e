import type { SQL } from "bun";
import type { Change } from "../../shared/contract.ts";
import type { Summary } from "../../shared/register-contract.ts";
import { parseDomainName } from "./domain-name.ts";
import { toChange, type ChangeRow } from "./history.ts";

/** A change, with the name that its domain has now; null where it is deleted. */
interface NamedRow extends ChangeRow {
  domain_id: string;
  unicode: string | null;
}

/** The newest changes of all names, deleted ones included. */
export async function listLatestChanges(sql: SQL, limit: number): Promise<Summary["changes"]> {
  const rows = await sql<NamedRow[]>`
    select c.id, c.at, c.made_by, c.action, c.fields, c.import_id, c.domain_id, d.unicode
    from (select * from changes order by id desc limit ${limit}) c
    left join domains d on d.id = c.domain_id order by c.id desc`;
  const gone = rows.filter(({ unicode }) => unicode === null).map((row) => row.domain_id);
  const names = await namesOfDeleted(sql, [...new Set(gone)]);
  return rows.map((row) => named(row, row.unicode ?? names.get(row.domain_id) ?? ""));
}

function named(row: NamedRow, name: string): Summary["changes"][number] {
  return { ...toChange(row), domainId: row.domain_id, name };
}

/** A deleted name is found in the last word of its history. */
async function namesOfDeleted(sql: SQL, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<(ChangeRow & { domain_id: string })[]>`
    select id, at, made_by, action, fields, import_id, domain_id from changes
    where domain_id in ${sql(ids)} and action = 'deleted' order by id`;
  return new Map(rows.map((row) => [row.domain_id, nameIn(toChange(row))]));
}

function nameIn({ fields }: Change): string {
  const before = fields.find(({ field }) => field === "name")?.before;
  const name = parseDomainName(typeof before === "string" ? before : "");
  return "code" in name ? String(before ?? "") : name.unicode;
}
