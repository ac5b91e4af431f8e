import { insertRows } from "../../src/backend/database/bulk-rows.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { addDays, utcToday } from "../../src/shared/day.ts";
import { type Domain, UNKNOWN_VALUES } from "../../src/shared/domain.ts";
import { addBatch, labelled, pick } from "./fill-register.ts";

/** Some names of a seeded register that a test or a picture wants to find. */
export const ODD_NAMES = [
  ["xn--bcher-kva.example", "bücher.example"],
  ["xn--fsqu00a.xn--g6w251d", "例子.測試"],
  ["xn--mgbh0fb.xn--kgbechtv", "مثال.إختبار"],
  ["xn--80ak6aa92e.com", "аррӏе.com"],
  ["xn--pypal-4ve.com", "pаypal.com"],
  ["xn--hxajbheg2az3al.xn--jxalpdlp", "παράδειγμα.δοκιμή"],
  [`${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(56)}.test`, null],
] as const;

const REGISTRARS = ["Gandi", "GoDaddy", "Namecheap", "OVH", "Porkbun"] as const;
const DECISIONS = ["keep", null, "watch", null, "drop", "transfer"] as const;
const TAGS = ["client", "shop", "parked"] as const;

/**
 * Fills a register of SQLite with names, straight into its file: through the API 20,000 would take
 * minutes. The first are `ODD_NAMES`, then `name-00000.example` and so on; the n-th expires n days
 * from today, wrapped at two years, every 50th nobody knows when.
 */
export async function seedRegister(file: string, count: number): Promise<void> {
  const now = new Date().toISOString();
  const domains = Array.from({ length: count }, (_, at) => domainAt(at, now));
  const change = { at: now, made_by_name: "seed@example.org", action: "added", fields: "[]" };
  const changes = domains.map(({ id }) => ({ id: Bun.randomUUIDv7(), domain_id: id, ...change }));
  const database = await openDatabase(`sqlite://${file}`);
  await database.write(async (sql) => {
    await insertRows(sql, "registrars", REGISTRARS.map(labelled));
    await insertRows(sql, "tags", TAGS.map(labelled));
    await addBatch(sql, domains);
    await insertRows(sql, "changes", changes);
  });
  await database.close();
}

function domainAt(at: number, now: string): Domain {
  const plain = `name-${String(at).padStart(5, "0")}.example`;
  const [name, unicode] = ODD_NAMES[at] ?? [plain, plain];
  const registrar = pick(REGISTRARS, at);
  const date = at % 50 === 49 ? null : addDays(utcToday(), (at % 730) - 5);
  const conflict = date !== null && at % 40 === 3;
  const observedAt = `${addDays(utcToday(), -90)}T00:00:00.000Z`;
  const other = { date: addDays(utcToday(), (at % 730) + 25), source: "an older list", observedAt };
  const from = { source: registrar, observedAt: now, conflict };
  const minor = 900 + (at % 40) * 50;
  return {
    ...UNKNOWN_VALUES,
    id: Bun.randomUUIDv7(),
    version: 1,
    name,
    unicode: unicode ?? name,
    registrar,
    account: "main",
    owner: "Ada Lovelace",
    tags: at % 5 === 0 ? [pick(TAGS, at)] : [],
    decision: pick(DECISIONS, at),
    autoRenew: at % 7 === 0 ? null : at % 3 > 0,
    expires: date === null ? null : { date, ...from, alternatives: conflict ? [other] : [] },
    renewal: at % 11 === 0 ? null : { minor, currency: at % 4 ? "EUR" : "USD", years: 1 },
    createdAt: now,
    updatedAt: now,
  };
}
