import { getDomain } from "tldts";
import { OutboundError, type Outbound } from "../outbound/outbound.ts";
import { type CheckResult, failedCheck } from "./check-result.ts";

/** Where a browser ends up that opens the name. */
export interface WebResult {
  /** Of the last answer. */
  status: number;
  /** Each address that was asked, the first being the name itself. */
  urls: string[];
  /** The first address of another registrable domain; it is not asked. */
  leadsTo: string | null;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;
const MAX_REDIRECTS = 5;

/** Follows the redirects of `http://<name>/` up to another registrable domain. */
export async function checkWeb(
  outbound: Outbound,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<CheckResult<WebResult>> {
  const urls: string[] = [];
  let url = new URL(`http://${name}/`);
  for (;;) {
    urls.push(url.href);
    const answer = await request(outbound, url, signal);
    if ("outcome" in answer) return answer;
    const location = answer.headers["location"];
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
    const next = isRedirect ? URL.parse(location, url) : null;
    const isWeb = next?.protocol === "http:" || next?.protocol === "https:";
    const leaves = next !== null && getDomain(next.hostname) !== getDomain(name);
    if (next === null || !isWeb || leaves || urls.length > MAX_REDIRECTS) {
      const result = {
        status: answer.status,
        urls,
        leadsTo: leaves ? next.href.slice(0, 500) : null,
      };
      return { outcome: "ok", source: "http", detail: null, result, retryAfterMs: null };
    }
    next.username = "";
    next.password = "";
    url = next;
  }
}

/** A page that is longer than what is read has an answer all the same. */
async function request(outbound: Outbound, url: URL, signal: AbortSignal) {
  try {
    return await outbound.request(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal });
  } catch (error) {
    if (error instanceof OutboundError && error.failure === "too-large") {
      return {
        status: 200,
        headers: {} as Readonly<Record<string, string>>,
        body: "",
        address: "",
      };
    }
    return failedCheck("http", error);
  }
}
