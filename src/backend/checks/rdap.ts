import type { Registration } from "../../shared/checks.ts";
import { list, object, text } from "../../shared/parse.ts";
import { formatSource } from "../../shared/source.ts";
import { type HttpAnswer, type Outbound, parseRetryAfter } from "../outbound/outbound.ts";
import { type CheckResult, failedCheck, knownOf } from "./check-result.ts";
import { readRdapResponse } from "./rdap-response.ts";

/** Base addresses of RDAP servers by suffix, each with a final slash. */
export type RdapServers = ReadonlyMap<string, string>;

const parseFile = object({ publication: text, services: list(list(list(text))) });

/**
 * Reads IANA's bootstrap file, RFC 9224. Servers without https are left out.
 *
 * @throws {ParseError} Where the file has another form.
 */
export function parseBootstrap(value: unknown): { publication: string; servers: RdapServers } {
  const { publication, services } = parseFile(value);
  const servers = services.flatMap(([suffixes = [], urls = []]) => {
    const url = urls.find((each) => each.startsWith("https://"));
    return url === undefined ? [] : suffixes.map((suffix) => [suffix.toLowerCase(), url] as const);
  });
  return {
    publication,
    servers: new Map(servers.map(([suffix, url]) => [suffix, withSlash(url)])),
  };
}

/** What a table has for the longest suffix of a name, label by label; null: nothing. */
export function findBySuffix<T>(name: string, table: ReadonlyMap<string, T>): T | null {
  const labels = name.split(".");
  for (let from = 1; from < labels.length; from += 1) {
    const found = table.get(labels.slice(from).join("."));
    if (found !== undefined) return found;
  }
  return null;
}

/** RFC 7484 §5.1: the path of a request is appended, so a base needs its slash. */
export function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;

interface RdapQuestion {
  /** The address of the domain's object at a registry or at a registrar. */
  url: URL;
  /** Lower-case A-label form. */
  name: string;
  from: "registry" | "registrar";
  now: Date;
  signal: AbortSignal;
}

/** What a registry or a registrar says; `related` is the registrar's own address, if it may be asked. */
export type RdapResult = CheckResult<Registration> & { related: URL | null };

/** Asks one RDAP server about one domain. */
export async function askRdap(outbound: Outbound, question: RdapQuestion): Promise<RdapResult> {
  const { url, name, from, now, signal } = question;
  const source = formatSource({ kind: from, host: url.host });
  let answer: HttpAnswer;
  try {
    answer = await followRedirects(outbound, url, signal);
  } catch (error) {
    return { ...failedCheck(source, error), related: null };
  }
  const retryAfter = answer.headers["retry-after"];
  const response = { status: answer.status, retryAfter: retryAfter ?? null, body: answer.body };
  const { outcome, result, related } = readRdapResponse(response, { name, from, now });
  return {
    outcome,
    source,
    detail: outcome === "refused" ? `The server answered ${answer.status}` : null,
    result: knownOf(result),
    retryAfterMs: parseRetryAfter(retryAfter, now),
    related: related === null || from === "registrar" ? null : askableLink(related, url),
  };
}

/** RFC 7480 §5.2: registries redirect to each other. Never from https to http. */
async function followRedirects(
  outbound: Outbound,
  start: URL,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const headers = { accept: "application/rdap+json, application/json;q=0.9" };
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await outbound.request(url, {
      headers,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status);
    const next = isRedirect ? URL.parse(answer.headers["location"] ?? "", url) : null;
    const isAllowed = next?.protocol === "https:" || next?.protocol === url.protocol;
    if (next === null || !isAllowed || redirects === MAX_REDIRECTS) return answer;
    url = next;
  }
}

/** A host name with a dot, which no kind of check is called; addresses end with a number. */
const PUBLIC_HOST = /^(?:[a-z\d-]+\.)+[a-z][a-z\d-]*$/;

/** A link to another public host by https; the registry's own would say the same again. */
function askableLink(link: string, registry: URL): URL | null {
  const url = URL.parse(link);
  const isOther =
    url !== null && url.hostname !== registry.hostname && PUBLIC_HOST.test(url.hostname);
  return isOther && url.protocol === "https:" && url.username === "" ? url : null;
}
