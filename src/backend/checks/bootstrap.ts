import { nullable, object, text } from "../../shared/parse.ts";
import type { Database } from "../database/database.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { readSetting, saveSetting } from "../setting-store.ts";
import { findBySuffix, parseBootstrap, type RdapServers } from "./rdap.ts";
import { SHIPPED } from "./lookup-servers.ts";

/** Which server answers for which TLD, by IANA: what is shipped, or a newer file. */
export interface Bootstrap {
  publication: string;
  servers: RdapServers;
}

const URL_OF_IANA = new URL("https://data.iana.org/rdap/dns.json");
const REFRESH_MS = 7 * 86_400_000;
const RETRY_MS = 86_400_000;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1_048_576;

/** Of the TLDs in use, a new file has to know at least so many that the one before knew. */
const MIN_SHARE = 0.9;

/** The setting with the newest file. */
const NAME = "rdap bootstrap";

const parseStored = object({ nextAt: text, etag: nullable(text), file: nullable(text) });
const NONE = { nextAt: "", etag: null, file: null };

/**
 * Asks IANA for a newer file where a week has passed, and returns the newest that is known. A file
 * that does not parse, or that lacks much of what is in use, is not taken.
 */
export async function refreshBootstrap(
  database: Database,
  outbound: Outbound,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Bootstrap> {
  const stored = (await database.read((sql) => readSetting(sql, NAME, parseStored))) ?? NONE;
  const current = readFile(stored.file) ?? SHIPPED;
  const waitMs = Date.parse(stored.nextAt) - now.getTime();
  // A later instant is of a clock that was ahead.
  if (waitMs > 0 && waitMs <= REFRESH_MS) return current;
  const headers = stored.etag === null ? {} : { "if-none-match": stored.etag };
  const options = { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const answer = await outbound.request(URL_OF_IANA, options).catch(() => null);
  const offered = answer?.status === 200 ? readFile(answer.body) : null;
  const tlds = await database.read(
    (sql) => sql<{ tld: string }[]>`select distinct tld from domains`,
  );
  const taken = offered !== null && knowsEnough(offered, current, tlds) ? offered : null;
  const wait = taken !== null || answer?.status === 304 ? REFRESH_MS : RETRY_MS;
  const next = {
    nextAt: new Date(now.getTime() + wait).toISOString(),
    etag: taken === null ? stored.etag : (answer?.headers["etag"] ?? null),
    file: taken === null ? stored.file : (answer?.body ?? null),
  };
  await database.write((sql) => saveSetting(sql, NAME, next));
  return taken ?? current;
}

function readFile(file: string | null): Bootstrap | null {
  if (file === null) return null;
  try {
    return parseBootstrap(JSON.parse(file));
  } catch {
    return null;
  }
}

function knowsEnough(
  offered: Bootstrap,
  current: Bootstrap,
  inUse: readonly { tld: string }[],
): boolean {
  const knows =
    ({ servers }: Bootstrap) =>
    (tld: string) =>
      findBySuffix(`x.${tld}`, servers) !== null;
  const before = inUse.map(({ tld }) => tld).filter(knows(current));
  const kept = before.filter(knows(offered));
  return offered.servers.size > 0 && kept.length >= before.length * MIN_SHARE;
}
