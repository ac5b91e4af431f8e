import type { SQL } from "bun";
import type { Database } from "../../src/backend/database/database.ts";
import { insertRows } from "../../src/backend/database/bulk-rows.ts";
import { toColumns } from "../../src/backend/domains/columns.ts";
import { searchWords } from "../../src/backend/domains/list/search.ts";
import { type Domain, UNKNOWN_VALUES } from "../../src/shared/domain.ts";

const BATCH = 20_000;

const REGISTRARS = "GoDaddy Namecheap Porkbun Dynadot OVH Gandi Sedo Name.com".split(" ");
const TLDS = ["com", "net", "org", "de", "io", "app", "dev", "co.uk", "info", "shop"];
const TAGS = ["client", "shop", "brand", "park", "for sale", "legacy"];
const NOTES = "A note about this name, as people write them. ".repeat(3);
/** The day that a second source names, where two disagree. */
const DISAGREED = "2027-01-01";
const DECISIONS = [null, null, null, "keep", "keep", "transfer", "watch", "drop"] as const;

/**
 * Fills an empty register with `count` invented names, past the API: a tenth without a day, a
 * twentieth whose sources disagree, and the days of the others spread over two years from 2026-10.
 */
export async function fillRegister(database: Database, count: number): Promise<void> {
  await database.write(async (sql) => {
    await insertRows(sql, "registrars", REGISTRARS.map(labelled));
    await insertRows(sql, "tags", TAGS.map(labelled));
  });
  // Few transactions, and names in their order as an import adds them: pages of indexes are written
  // once for many rows.
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    const domains = Array.from({ length }, (_, offset) => domainAt(start + offset)).toSorted(
      (one, other) => (one.name < other.name ? -1 : 1),
    );
    await database.write((sql) => addBatch(sql, domains));
  }
}

export async function addBatch(sql: SQL, domains: readonly Domain[]): Promise<void> {
  const observations = domains.flatMap(({ id, expires }) => {
    if (expires === null) return [];
    return [expires, ...expires.alternatives].map(({ date, source, observedAt }) => ({
      id: Bun.randomUUIDv7(),
      domain_id: id,
      kind: "expires",
      source,
      value: date,
      observed_at: observedAt,
    }));
  });
  const tags = domains.flatMap(({ id, tags: [tag] }) =>
    tag === undefined ? [] : [{ domain_id: id, tag_key: tag }],
  );
  await insertRows(sql, "domains", domains.map(toRow));
  await insertRows(sql, "observations", observations);
  await insertRows(sql, "domain_tags", tags);
}

function toRow(domain: Domain) {
  const { id, version, createdAt, updatedAt } = domain;
  const times = { created_at: createdAt, updated_at: updatedAt };
  return { ...toColumns(domain), id, version, words: searchWords(domain), ...times };
}

function domainAt(index: number): Domain {
  const name = `name-${spread(index, 1_000_003)}-${index}.${pick(TLDS, index)}`;
  const registrar = pick(REGISTRARS, spread(index, 8));
  const date = new Date(Date.UTC(2026, 9, 1 + spread(index, 730))).toISOString().slice(0, 10);
  const dated = index % 10 !== 3;
  const conflict = dated && index % 20 === 4;
  const instant = "2026-11-21T00:00:00.000Z";
  const other = { date: DISAGREED, source: "RDAP", observedAt: "2026-11-20T00:00:00.000Z" };
  const alternatives = conflict ? [other] : [];
  const currency = pick(["USD", "EUR", "GBP"], index);
  const custom = {
    Vertrag: `V-${90_200_000 + (index % 200)}`,
    'Cost: 50% "=" &': `Área ${index % 12}`,
  };
  return {
    ...UNKNOWN_VALUES,
    id: Bun.randomUUIDv7(),
    version: 1,
    name,
    unicode: name,
    registrar,
    account: `account ${index % 40}`,
    owner: index % 6 === 0 ? null : `Owner ${index % 23}`,
    decision: pick(DECISIONS, spread(index, 97)),
    autoRenew: pick([null, false, true, true], index),
    expires: dated
      ? { date, source: registrar, observedAt: instant, conflict, alternatives }
      : null,
    renewal: index % 3 === 0 ? null : { minor: 900 + spread(index, 4000), currency, years: null },
    tags: index % 2 === 0 ? [pick(TAGS, spread(index, 6))] : [],
    notes: index % 5 === 0 ? NOTES : "",
    custom: index % 4 === 0 ? custom : {},
    createdAt: instant,
    updatedAt: instant,
  };
}

/** A number below `below` that jumps about as `index` goes on. */
function spread(index: number, below: number): number {
  return (index * 7919 + Math.floor(index / 13) * 104_729) % below;
}

export function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError("Nothing to pick from");
  return item;
}

export function labelled(label: string) {
  return { label_key: label.toLowerCase(), label };
}
