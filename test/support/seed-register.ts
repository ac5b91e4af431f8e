import { Database } from "bun:sqlite";
import type { SqlRow } from "../../src/backend/database/bulk-rows.ts";
import { UNKNOWN_VALUES } from "../../src/shared/domain.ts";
import { toRow } from "./fill-register.ts";

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
export function seedRegister(file: string, count: number): void {
  using database = new Database(file);
  database.run("pragma busy_timeout = 5000");
  const insert = (table: string, row: SqlRow) => {
    const names = Object.keys(row);
    const marks = names.map(() => "?").join();
    database
      .query(`insert into ${table} (${names.join()}) values (${marks})`)
      .run(...Object.values(row));
  };
  const now = new Date().toISOString();
  database.transaction(() => {
    for (const label of REGISTRARS) insert("registrars", { label_key: label.toLowerCase(), label });
    for (const label of TAGS) insert("tags", { label_key: label, label });
    for (let at = 0; at < count; at += 1) {
      const plain = `name-${String(at).padStart(5, "0")}.example`;
      const [name, unicode] = ODD_NAMES[at] ?? [plain, plain];
      const id = Bun.randomUUIDv7();
      const registrar = pick(REGISTRARS, at);
      const date = at % 50 === 49 ? null : dayFromNow((at % 730) - 5);
      const conflict = date !== null && at % 40 === 3;
      const from = { source: registrar, observedAt: now, conflict, alternatives: [] };
      const minor = 900 + (at % 40) * 50;
      const domain = {
        ...UNKNOWN_VALUES,
        id,
        version: 1,
        name,
        unicode: unicode ?? name,
        registrar,
        account: "main",
        owner: "Ada Lovelace",
        tags: at % 5 === 0 ? [pick(TAGS, at)] : [],
        decision: pick(DECISIONS, at),
        autoRenew: at % 7 === 0 ? null : at % 3 > 0,
        expires: date === null ? null : { date, ...from },
        renewal: at % 11 === 0 ? null : { minor, currency: at % 4 ? "EUR" : "USD", years: 1 },
        createdAt: now,
        updatedAt: now,
      };
      insert("domains", toRow(domain));
      const say = (source: string, value: string, observed_at: string) => {
        const row = { id: Bun.randomUUIDv7(), domain_id: id, kind: "expires", source };
        insert("observations", { ...row, value, observed_at });
      };
      if (conflict)
        say("an older list", dayFromNow((at % 730) + 25), `${dayFromNow(-90)}T00:00:00.000Z`);
      if (date) say(registrar, date, now);
      const change = {
        id: Bun.randomUUIDv7(),
        domain_id: id,
        at: now,
        made_by_name: "seed@example.org",
      };
      insert("changes", { ...change, action: "added", fields: "[]" });
      for (const tag_key of domain.tags) insert("domain_tags", { domain_id: id, tag_key });
    }
  })();
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function pick<const T extends readonly unknown[]>(values: T, at: number): T[number] {
  return values[at % values.length];
}
