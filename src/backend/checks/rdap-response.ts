import type { CheckOutcome, Registration } from "../../shared/checks.ts";
import { cleanText } from "../outbound/clean-text.ts";
import { parseShallowJson } from "../outbound/shallow-json.ts";
import { isDay, type Instant } from "../../shared/day.ts";
import { integer, mapped, object, orElse, textLike } from "../../shared/parse.ts";
import { foldHost, foldStatus, plausibleInstant, UNKNOWN_REGISTRATION } from "./registration.ts";

/** What an RDAP server answered, as far as it was read. */
interface RdapResponse {
  status: number;
  retryAfter: string | null;
  /** At most 1 MB. */
  body: string;
}

/** What the answer says; `related` is where the registrar answers, RFC 9083 §5.3 with `related`. */
interface RdapReading {
  outcome: CheckOutcome;
  result: Registration;
  related: string | null;
}

/** Members of one list that are read. */
const MAX_ITEMS = 100;
/** Characters of a status, a host or a registrar's name. */
const MAX_TEXT = 300;

const QUOTA_WORDS = /rate.?limit|quota|too many (?:requests|queries)|limit exceeded|throttl/i;

/**
 * Reads an RDAP answer about a domain (RFC 9083). Members of a wrong type are skipped; an answer that
 * is not about the name that was asked is `malformed`.
 *
 * @param name Lower-case A-label form of the domain that was asked.
 * @param from Whose answer it is: at a registrar, `registrar expiration` outranks `expiration`.
 */
export function readRdapResponse(
  { status, retryAfter, body }: RdapResponse,
  { name, from, now }: { name: string; from: "registry" | "registrar"; now: Date },
): RdapReading {
  const nothing = (outcome: CheckOutcome): RdapReading => ({
    outcome,
    result: UNKNOWN_REGISTRATION,
    related: null,
  });
  if (status === 404) return nothing("not-found");
  const answer = parseShallowJson(body);
  const limited = status === 429 || (status === 503 && retryAfter !== null) || saysLimit(answer);
  if (status !== 200) {
    if (limited) return nothing("limited");
    if (status === 401 || status === 403) {
      return nothing(QUOTA_WORDS.test(body.slice(0, 5000)) ? "limited" : "refused");
    }
    return nothing(status >= 500 ? "unreachable" : "refused");
  }
  const domain = objectOf(answer);
  const isAsked =
    domain["objectClassName"] === "domain" && foldHost(textOf(domain["ldhName"])) === name;
  if (!isAsked) return nothing(limited ? "limited" : "malformed");

  const result = readDomain(domain, from, now);
  const isWithheld = result.redacted.some((what) => /expir/i.test(what));
  const dated = result.expiresAt !== null || hasUnreadableExpiry(domain);
  const outcome = limited ? "limited" : dated ? "ok" : isWithheld ? "withheld" : "absent";
  return { outcome, result, related: relatedLink(domain) };
}

type Json = Readonly<Record<string, unknown>>;

function readDomain(domain: Json, from: "registry" | "registrar", now: Date): Registration {
  const eventAt = (action: string): Instant | null => {
    const event = eventsOf(domain).find(
      ({ eventAction }) => foldStatus(textOf(eventAction)) === action,
    );
    return event === undefined ? null : readInstant(textOf(event["eventDate"]), now);
  };
  const expiration = eventAt("expiration");
  const secure = objectOf(domain["secureDNS"]);
  const signed = secure["delegationSigned"];
  return {
    registered: true,
    expiresAt: from === "registrar" ? (eventAt("registrar expiration") ?? expiration) : expiration,
    createdAt: eventAt("registration"),
    changedAt: eventAt("last changed"),
    statuses: unique(listOf(domain["status"]).map((status) => foldStatus(textOf(status)))),
    nameServers: unique(
      listOf(domain["nameservers"]).map((server) => foldHost(textOf(objectOf(server)["ldhName"]))),
    ),
    ds: listOf(secure["dsData"]).flatMap((each) => parseDs(each) ?? []),
    delegationSigned: typeof signed === "boolean" ? signed : null,
    registrar: registrarName(domain),
    redacted: listOf(domain["redacted"]).map((each) => redactedName(objectOf(each))),
  };
}

/** An expiration whose date cannot be read: malformed for that field, and no reason to say "absent". */
function hasUnreadableExpiry(domain: Json): boolean {
  return eventsOf(domain).some(({ eventAction }) => textOf(eventAction).endsWith("expiration"));
}

function eventsOf(domain: Json): Json[] {
  return listOf(domain["events"]).map(objectOf);
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * RFC 3339, and its common misspellings: `+0000`, no zone (UTC), any fraction. Null for a date that
 * does not exist or that no registration has.
 */
function readInstant(written: string, now: Date): Instant | null {
  const parts = DATE_TIME.exec(written.trim());
  if (parts === null) return null;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    parts;
  if (!isDay(`${year}-${month}-${day}`)) return null;
  const offset = /^z$/i.test(zone) ? "Z" : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`;
  return plausibleInstant(Date.parse(text), now);
}

const word = integer(0, 65_535);

const parseDs = orElse(
  object({
    keyTag: word,
    algorithm: word,
    digestType: word,
    digest: mapped(textLike(/^[0-9a-f]{2,128}$/i, "digest", "hexadecimal"), (hex) =>
      hex.toLowerCase(),
    ),
  }),
  null,
);

/** The first entity with the role `registrar`, at the top level or one below it. */
function registrarName(domain: Json): string | null {
  const top = listOf(domain["entities"]).map(objectOf);
  const all = [...top, ...top.flatMap(({ entities }) => listOf(entities).map(objectOf))];
  const registrar = all.find(({ roles }) => listOf(roles).includes("registrar"));
  if (registrar === undefined) return null;
  const [, properties] = listOf(registrar["vcardArray"]);
  // A jCard property is [name, parameters, type, value], RFC 7095 §3.3.
  const named = listOf(properties).find((property) => listOf(property)[0] === "fn");
  return textOf(listOf(named)[3]).trim() || null;
}

function redactedName(redaction: Json): string {
  const name = objectOf(redaction["name"]);
  return textOf(name["type"]) || textOf(name["description"]);
}

/** The registrar's own RDAP address for this domain; whether it may be asked is decided elsewhere. */
function relatedLink(domain: Json): string | null {
  const link = listOf(domain["links"])
    .map(objectOf)
    .find(
      ({ rel, type, href }) =>
        rel === "related" && type === "application/rdap+json" && typeof href === "string",
    );
  return link === undefined ? null : textOf(link["href"]) || null;
}

function saysLimit(answer: unknown): boolean {
  const { notices } = objectOf(answer);
  return (Array.isArray(notices) ? listOf(notices) : [notices]).some((notice) => {
    const { title, description } = objectOf(notice);
    const words = [textOf(title), ...listOf(description).map(textOf)].join(" ");
    return /rate limit|quota exceeded/i.test(words);
  });
}

function objectOf(value: unknown): Json {
  // Any object that is no list has members by name.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? cleanText(value.slice(0, MAX_TEXT)) : "";
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "").toSorted();
}
