import type { SQL } from "bun";
import type { Database } from "../../src/backend/database/database.ts";
import { searchWords } from "../../src/backend/domains/list/search.ts";
import { UNKNOWN_VALUES } from "../../src/shared/domain.ts";
import { customKey } from "../../src/shared/text.ts";

/** Rows in one statement: Postgres takes at most 65,535 parameters, SQLite 32,766. */
const BATCH = 500;
const TRANSACTION = 50_000;

const REGISTRARS = [
  "GoDaddy",
  "Namecheap",
  "Porkbun",
  "Dynadot",
  "OVH",
  "Gandi",
  "Sedo",
  "Name.com",
];
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
    await sql`insert into registrars ${sql(REGISTRARS.map(labelled))}`;
    await sql`insert into tags ${sql(TAGS.map(labelled))}`;
  });
  // Few transactions, and names in their order as an import adds them: pages of indexes are written
  // once for many rows.
  for (let start = 0; start < count; start += TRANSACTION) {
    const length = Math.min(TRANSACTION, count - start);
    const rows = Array.from({ length }, (_, offset) => domainAt(start + offset)).toSorted(
      (one, other) => (one.domain.name < other.domain.name ? -1 : 1),
    );
    await database.write(async (sql) => {
      for (let at = 0; at < length; at += BATCH) await addBatch(sql, rows.slice(at, at + BATCH));
    });
  }
}

async function addBatch(sql: SQL, rows: ReturnType<typeof domainAt>[]): Promise<void> {
  await sql`insert into domains ${sql(rows.map(({ domain }) => domain))}`;
  await sql`insert into observations ${sql(rows.flatMap(({ observations }) => observations))}`;
  const tagged = rows.flatMap(({ tags }) => tags);
  if (tagged.length > 0) await sql`insert into domain_tags ${sql(tagged)}`;
}

function domainAt(index: number) {
  const id = Bun.randomUUIDv7();
  const tld = pick(TLDS, index);
  const name = `name-${spread(index, 1_000_003)}-${index}.${tld}`;
  const registrar = pick(REGISTRARS, spread(index, 8));
  const day = new Date(Date.UTC(2026, 9, 1 + spread(index, 730))).toISOString().slice(0, 10);
  const dated = index % 10 !== 3;
  const disagrees = dated && index % 20 === 4;
  const instant = "2026-11-21T00:00:00.000Z";
  const said = (source: string, value: string, observed_at = instant) => {
    const at = { kind: "expires", source, value, observed_at };
    return { id: Bun.randomUUIDv7(), domain_id: id, ...at };
  };
  const custom = {
    Vertrag: `V-${90_200_000 + (index % 200)}`,
    'Cost: 50% "=" &': `Área ${index % 12}`,
  };
  const account = `account ${index % 40}`;
  const owner = index % 6 === 0 ? null : `Owner ${index % 23}`;
  const tag = index % 2 === 0 ? pick(TAGS, spread(index, 6)) : null;
  const decision = pick(DECISIONS, spread(index, 97));
  const words = searchWords({
    ...UNKNOWN_VALUES,
    id,
    version: 1,
    name,
    unicode: name,
    registrar,
    account,
    owner,
    decision,
    tags: tag === null ? [] : [tag],
    notes: index % 5 === 0 ? NOTES : "",
    custom: index % 4 === 0 ? custom : {},
  });
  const domain = {
    id,
    version: 1,
    name,
    unicode: name,
    sort_name: name,
    tld: tld.slice(tld.lastIndexOf(".") + 1),
    registrar_key: registrar.toLowerCase(),
    account,
    account_key: account,
    owner,
    owner_key: owner?.toLowerCase() ?? null,
    decision,
    auto_renew: [null, 0, 1, 1][index % 4],
    expires_on: dated ? day : null,
    expires_source: dated ? registrar : null,
    expires_observed_at: dated ? instant : null,
    expires_conflict: disagrees ? 1 : 0,
    expires_earliest: dated ? (disagrees && day > DISAGREED ? DISAGREED : day) : null,
    renewal_minor: index % 3 === 0 ? null : 900 + spread(index, 4000),
    renewal_currency: index % 3 === 0 ? null : pick(["USD", "EUR", "GBP"], index),
    renewal_years: null,
    created_at: instant,
    updated_at: instant,
    notes: index % 5 === 0 ? NOTES : "",
    words,
    custom: index % 4 === 0 ? JSON.stringify(custom) : null,
    custom_key: index % 4 === 0 ? customKey(custom) : null,
  };
  const tags = tag === null ? [] : [{ domain_id: id, tag_key: tag }];
  const observations = dated ? [said(registrar, day)] : [];
  if (disagrees) observations.push(said("RDAP", DISAGREED, "2026-11-20T00:00:00.000Z"));
  return { domain, tags, observations };
}

/** A number below `below` that jumps about as `index` goes on. */
function spread(index: number, below: number): number {
  return (index * 7919 + Math.floor(index / 13) * 104_729) % below;
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError("Nothing to pick from");
  return item;
}

function labelled(label: string) {
  return { label_key: label.toLowerCase(), label };
}
