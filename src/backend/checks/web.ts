import type { WebResult } from "../../shared/checks.ts";
import { getDomain } from "tldts";
import type { HttpAnswer, Outbound } from "../outbound/outbound.ts";
import { answered, type CheckResult, failedCheck } from "./check-result.ts";

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;
const MAX_URL = 500;

/** Follows the redirects of `http://<name>/` up to another registrable domain. */
export async function checkWeb(
  outbound: Outbound,
  { name, port, signal }: { name: string; port: number; signal: AbortSignal },
): Promise<CheckResult<WebResult>> {
  const urls: string[] = [];
  const first = new URL(`http://${name}:${port}/`);
  let url = first;
  for (;;) {
    urls.push(url.href.slice(0, MAX_URL));
    let answer: HttpAnswer;
    try {
      answer = await outbound.request(url, { timeoutMs: TIMEOUT_MS, maxBytes: 0, signal });
    } catch (error) {
      return failedCheck("http", error);
    }
    const location = answer.headers["location"];
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
    const next = isRedirect ? URL.parse(location, url) : null;
    const isWeb = next?.protocol === "http:" || next?.protocol === "https:";
    const leaves =
      next !== null &&
      (getDomain(next.hostname) !== getDomain(name) || !["", first.port].includes(next.port));
    if (next === null || !isWeb || leaves || urls.length > MAX_REDIRECTS) {
      const leadsTo = leaves ? next.href.slice(0, MAX_URL) : null;
      return answered("http", { status: answer.status, urls, leadsTo });
    }
    next.username = "";
    next.password = "";
    url = next;
  }
}
