import type { CheckOutcome, Registration } from "../../shared/checks.ts";
import type { Instant } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import {
  type HttpAnswer,
  type Outbound,
  parseRetryAfter,
  redirectOf,
} from "../outbound/outbound.ts";
import { cleanText, parseDateTime, parseShallowJson } from "../outbound/received-text.ts";
import {
  type CheckResult,
  foldHost,
  foldEppStatus,
  plausibleInstant,
  sortedOnce,
} from "./check-result.ts";

const TIMEOUT_MS = 15_000;
const MAX_RDAP_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;

/** @param of `name` in lower-case A-labels. @throws {OutboundError} */
export async function askRdap(
  outbound: Outbound,
  of: { url: URL; name: string; from: "registry" | "registrar"; now: Date; signal: AbortSignal },
): Promise<CheckResult<Registration>> {
  const { url, name, from, now, signal } = of;
  const answer = await followRedirects(outbound, url, signal);
  const read = readRdapResponse(answer, { name, from, now });
  return {
    ...read,
    detail: read.outcome === "refused" ? `The server answered ${answer.status}` : null,
    retryAfterMs: parseRetryAfter(answer.headers["retry-after"], now),
    related: from === "registrar" ? null : askableLink(read.related ?? "", url),
  };
}

/** RFC 7480 §5.2; never from https to http. */
async function followRedirects(
  outbound: Outbound,
  start: URL,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const headers = { accept: "application/rdap+json, application/json;q=0.9" };
  const options = { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_RDAP_BYTES, signal };
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await outbound.request(url, options);
    const next = redirectOf(answer, url);
    const isAllowed = next?.protocol === "https:" || next?.protocol === url.protocol;
    if (next === null || !isAllowed || redirects === MAX_REDIRECTS) return answer;
    url = next;
  }
}

/** With a dot, unlike the kinds of checks; addresses end with a number. */
const PUBLIC_HOST = /^(?:[a-z\d-]+\.)+[a-z][a-z\d-]*$/;

function askableLink(link: string, registry: URL): URL | null {
  const url = URL.parse(link);
  const isOther =
    url !== null && url.hostname !== registry.hostname && PUBLIC_HOST.test(url.hostname);
  return isOther && url.protocol === "https:" && url.username === "" ? url : null;
}

const MAX_ITEMS = 100;
/** Characters of a status, a host or a registrar's name. */
const MAX_TEXT = 300;

// What has another type than RFC 9083 says reads as empty, and costs nothing else of the answer.

const words = (value: unknown) =>
  typeof value === "string" ? cleanText(value.slice(0, MAX_TEXT)) : "";

const items =
  <T>(parse: p.Parser<T>) =>
  (value: unknown): T[] =>
    Array.isArray(value) ? value.slice(0, MAX_ITEMS).map((each: unknown) => parse(each)) : [];

const members = <S extends p.Shape>(shape: S) => {
  const parse = p.object(shape);
  return (value: unknown) => parse(p.isRecord(value) ? value : {});
};

const word = p.integer(0, 65_535);
const digest = p.textLike(/^[0-9a-f]{2,128}$/i, "digest", "hexadecimal");
const ds = p.object({
  keyTag: word,
  algorithm: word,
  digestType: word,
  digest: p.mapped(digest, (hex) => hex.toLowerCase()),
});

// A jCard property is [name, parameters, type, value], RFC 7095 §3.3.
const entity = { roles: items(words), vcardArray: items(items(items(words))) };

const notice = members({ title: words, description: items(words) });

const parseDomain = members({
  objectClassName: words,
  ldhName: words,
  events: items(members({ eventAction: words, eventDate: words })),
  // Without it nothing is known of holds and grace periods; an empty list says that there are none.
  status: (value) => (Array.isArray(value) ? items(words)(value) : null),
  nameservers: items(members({ ldhName: words })),
  secureDNS: members({
    delegationSigned: (value) => (typeof value === "boolean" ? value : null),
    dsData: items(p.orElse(ds, null)),
  }),
  entities: items(members({ ...entity, entities: items(members(entity)) })),
  redacted: items(members({ name: members({ type: words, description: words }) })),
  links: items(members({ rel: words, type: words, href: words })),
  // Some servers write one notice without its list.
  notices: (value) => items(notice)(Array.isArray(value) ? value : [value]),
});

type RdapDomain = p.Parsed<typeof parseDomain>;

const QUOTA_WORDS = /rate.?limit|quota|too many (?:requests|queries)|limit exceeded|throttl/i;

/**
 * Reads an RDAP answer (RFC 9083) about a name in A-labels; one about another name is `malformed`.
 * `related` is where the registrar answers, §5.3.
 */
export function readRdapResponse(
  { status, headers, body }: HttpAnswer,
  { name, from, now }: { name: string; from: "registry" | "registrar"; now: Date },
): Pick<CheckResult<Registration>, "outcome" | "result"> & { related: string | null } {
  const nothing = (outcome: CheckOutcome) => ({ outcome, result: null, related: null });
  if (status === 404) return nothing("not-found");
  const domain = parseDomain(parseShallowJson(body));
  const limited =
    status === 429 ||
    (status === 503 && "retry-after" in headers) ||
    domain.notices.some(({ title, description }) =>
      /rate limit|quota exceeded/i.test([title, ...description].join(" ")),
    );
  if (status !== 200) {
    if (limited) return nothing("limited");
    if (status === 401 || status === 403) {
      return nothing(QUOTA_WORDS.test(body.slice(0, 5000)) ? "limited" : "refused");
    }
    return nothing(status >= 500 ? "unreachable" : "refused");
  }
  const isAsked = domain.objectClassName === "domain" && foldHost(domain.ldhName) === name;
  if (!isAsked) return nothing(limited ? "limited" : "malformed");

  const result = readRegistration(domain, from, now);
  const isWithheld = result.redacted.some((what) => /expir/i.test(what));
  // A date that cannot be read still is a date.
  const isDated =
    result.expiresAt !== null ||
    domain.events.some(({ eventAction }) => eventAction.endsWith("expiration"));
  const outcome = limited ? "limited" : isDated ? "ok" : isWithheld ? "withheld" : "absent";
  const link = domain.links.find(
    ({ rel, type, href }) => rel === "related" && type === "application/rdap+json" && href !== "",
  );
  return { outcome, result, related: link?.href ?? null };
}

function readRegistration(
  domain: RdapDomain,
  from: "registry" | "registrar",
  now: Date,
): Registration {
  const eventAt = (action: string): Instant | null => {
    const event = domain.events.find(({ eventAction }) => foldEppStatus(eventAction) === action);
    return event === undefined ? null : plausibleInstant(parseDateTime(event.eventDate), now);
  };
  const expiration = eventAt("expiration");
  return {
    registered: true,
    expiresAt: from === "registrar" ? (eventAt("registrar expiration") ?? expiration) : expiration,
    createdAt: eventAt("registration"),
    changedAt: eventAt("last changed"),
    statuses: domain.status && sortedOnce(domain.status.map(foldEppStatus)),
    nameServers: sortedOnce(domain.nameservers.map(({ ldhName }) => foldHost(ldhName))),
    ds: domain.secureDNS.dsData.filter((each) => each !== null),
    delegationSigned: domain.secureDNS.delegationSigned,
    registrar: registrarName(domain),
    redacted: domain.redacted.map(({ name }) => name.type || name.description),
  };
}

/** The first entity with the role `registrar`, at the top level or one below it. */
function registrarName({ entities }: RdapDomain): string | null {
  const all = [...entities, ...entities.flatMap((each) => each.entities)];
  const registrar = all.find(({ roles }) => roles.includes("registrar"));
  const named = registrar?.vcardArray[1]?.find(([property]) => property === "fn");
  return named?.[3]?.trim() || null;
}
