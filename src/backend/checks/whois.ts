import type { Registration } from "../../shared/checks.ts";
import { isUtf8 } from "node:buffer";
import { domainToASCII } from "node:url";
import type { Socket } from "node:net";
import { isDay, type Instant } from "../../shared/day.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { cleanText } from "../outbound/received-text.ts";
import {
  answered,
  type CheckResult,
  foldHost,
  foldEppStatus,
  nothing,
  plausibleInstant,
  sortedOnce,
  UNKNOWN_REGISTRATION,
} from "./check-result.ts";
import whoisWords from "./data/whois-words.json" with { type: "json" };

export interface WhoisServer {
  host: string;
  /** How it says "not registered"; null: not recorded. */
  notFound: string | null;
  /** An encoding label; without it UTF-8, else Latin-1. */
  charset?: string;
  /** The order of its days. Without it a day that can be read two ways is not read. */
  dates?: "dmy" | "mdy";
}

const TIMEOUT_MS = 15_000;
const WHOIS_PORT = 43;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_WHOIS_BYTES = 65_536;

/**
 * Asks a WHOIS server, RFC 3912. Referrals are not followed: they lead where the answer wants.
 * @throws {OutboundError}
 */
export async function askWhois(
  outbound: Outbound,
  question: { name: string; server: WhoisServer; now: Date; signal: AbortSignal },
): Promise<CheckResult<Registration>> {
  const { name, server, now, signal } = question;
  const [host = "", port = WHOIS_PORT] = server.host.split(":");
  const limits = { timeoutMs: CONNECT_TIMEOUT_MS, signal };
  const socket = await outbound.connect(host, Number(port), limits);
  const bytes = await readAll(socket, `${name}\r\n`, signal);
  return bytes === null ? nothing("timeout") : readWhoisResponse(bytes, { name, server, now });
}

/** What comes until the server closes, cut at 64 KB; null if it does not close in time. */
function readAll(socket: Socket, line: string, signal: AbortSignal): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = () => resolve(Buffer.concat(chunks, Math.min(bytes, MAX_WHOIS_BYTES)));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  deadline.addEventListener("abort", () => resolve(null));
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_WHOIS_BYTES) finish();
  });
  socket.on("end", finish);
  // A reset after the answer is common; what came before it counts, nothing is "malformed".
  socket.on("error", finish);
  socket.write(line);
  return promise.finally(() => socket.destroy());
}

/** The longest answers have some 300 lines. */
const MAX_LINES = 2_000;
const MAX_LINE = 500;
/** Characters of a key; what is longer is a sentence. */
const MAX_KEY = 80;
const MAX_ITEMS = 50;

/**
 * In lower case: how a line begins that says "not registered", what a line contains that says "cannot
 * be registered", and the keys of a field in order of preference.
 */
const { notFound: NOT_FOUND, reserved: RESERVED, keys: KEYS } = whoisWords;

/** Reads a WHOIS answer, which has no form (RFC 3912). An unclear one is `malformed`, never "free". */
export function readWhoisResponse(
  bytes: Uint8Array,
  { name, server, now }: { name: string; server: WhoisServer; now: Date },
): CheckResult<Registration> {
  const { charset = isUtf8(bytes) ? "utf-8" : "latin1" } = server;
  const lines = new TextDecoder(charset)
    .decode(bytes)
    .split(/\r\n|\n|\r/, MAX_LINES)
    .map((line) => cleanText(line.slice(0, MAX_LINE)).trimEnd());
  const pairs = readPairs(lines);
  const result = readRegistration(pairs, server, now);
  const { nameServers, createdAt, changedAt, expiresAt, registrar } = result;
  const isDescribed =
    nameServers.length > 0 ||
    [createdAt, changedAt, expiresAt, registrar].some((fact) => fact !== null);
  const isFree = result.statuses?.some((status) => status === "free" || status === "available");
  if (!isDescribed || isFree) {
    const sentences = lines.map((line) => foldLine(line, name));
    const marker = server.notFound === null ? [] : [foldLine(server.notFound, "")];
    const phrases = [...NOT_FOUND, ...marker];
    if (saysThrottled(sentences)) return nothing("limited");
    if (sentences.some((line) => saysNotFound(line, phrases))) {
      return answered({ ...UNKNOWN_REGISTRATION, registered: false }, "not-found");
    }
    if (sentences.some((line) => RESERVED.some((words) => line.includes(words)))) {
      return answered({ ...UNKNOWN_REGISTRATION, statuses: ["reserved"] }, "absent");
    }
  }
  const named = valuesOf(pairs, KEYS.name)[0];
  const isOther = named?.includes(".") === true && !isName(named, name);
  if (isOther || !isDescribed) return nothing("malformed");
  return answered(result, expiresAt === null ? "absent" : "ok");
}

/** A folded key, and what stands behind it or in the lines below. */
type Pair = readonly [key: string, value: string];

/** Finds `Key: value`, `key......: value`, `[Key] value`, `Key   value`, and a key above its values. */
function readPairs(lines: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  let block = { key: "", hasValues: false };
  for (const line of lines) {
    if (line === "" && block.hasValues) block = { key: "", hasValues: false };
    if (line === "" || /^[%#]/.test(line) || line.startsWith(">>>")) continue;
    const [key, value] = splitLine(line) ?? ["", line.trim()];
    if (key === "") {
      pairs.push([block.key, value]);
      block.hasValues = true;
    } else if (value === "") {
      block = { key, hasValues: false };
    } else {
      pairs.push([key, value]);
      // `Registrar:` with `Name: …` below it.
      if (block.key !== "" && /^\s/.test(line)) pairs.push([`${block.key} ${key}`, value]);
      block.hasValues = true;
    }
  }
  return pairs;
}

/** The forms of a line with a key, in the order in which they are tried. */
const KEYED: readonly RegExp[] = [
  /^(?<key>record (?:expires|created|last updated) on) (?<value>.*)/i,
  // .ua writes the day into the status.
  /^status:\s*(?<key>ok-until) (?<value>\S+)$/i,
  /^(?:[a-z]\.? )?\[(?<key>[^\]]*)\](?<value>.*)/,
  // A time or an address has a colon too, but no word before it.
  /^(?=[^:]*?[^\d\s.:])(?<key>[^:]+):(?!\/\/)(?<value>.*)/,
  /^(?<key>.+?)(?:\t|\s{3})(?<value>.*)/,
];

function splitLine(line: string): Pair | null {
  for (const form of KEYED) {
    const { key, value = "" } = form.exec(line.trim())?.groups ?? {};
    if (key !== undefined) return [foldKey(key), value.trim()];
  }
  return null;
}

function foldKey(key: string): string {
  return key
    .slice(0, MAX_KEY)
    .replaceAll(/\.{2,}|\*/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function valuesOf(pairs: readonly Pair[], keys: readonly string[]): string[] {
  const first = keys.find((key) => pairs.some(([name]) => name === key));
  return pairs.flatMap(([key, value]) => (key === first ? value : []));
}

function readRegistration(pairs: readonly Pair[], server: WhoisServer, now: Date): Registration {
  const instant = (keys: readonly string[]) =>
    valuesOf(pairs, keys)
      .map((value) => readDate(value, server, now))
      .find((read) => read !== null) ?? null;
  const nameServers = pairs
    // `name server 2` counts without its number.
    .filter(([key]) =>
      [key, key.replace(/ ?\d{1,2}$/, "")].some((each) => NAME_SERVER_KEYS.has(each)),
    )
    .map(([, value]) => foldHost(value.split(/[\s,;(]/)[0] ?? ""))
    .filter((host) => /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(host));
  const statuses = valuesOf(pairs, KEYS.status).map((status) => {
    const [words = ""] = status.split(/https?:/, 1);
    return foldEppStatus(words.replace(/[\s,(]{1,3}$/, ""));
  });
  return {
    ...UNKNOWN_REGISTRATION,
    registered: true,
    expiresAt: instant(KEYS.expires),
    createdAt: instant(KEYS.created),
    changedAt: instant(KEYS.changed),
    statuses: sortedOnce(statuses).slice(0, MAX_ITEMS),
    nameServers: sortedOnce(nameServers).slice(0, MAX_ITEMS),
    registrar: valuesOf(pairs, KEYS.registrar)[0]?.replace(/ \(R\d{1,9}-LRCC\)$/, "") ?? null,
  };
}

const NAME_SERVER_KEYS: ReadonlySet<string> = new Set(KEYS.nameServer);

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Days that can be read one way only; the first form that fits counts. */
const DAYS: readonly RegExp[] = [
  /^(?<year>\d{4})[-./ ]{1,2}(?<month>\d{1,2})[-./ ]{1,2}(?<day>\d{1,2})(?!\d)(?<rest>.*)/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:\d{6})?(?!\d)(?<rest>.*)/,
  /^(?:[a-z]{3,9},? )?(?<day>\d{1,2})(?:st|nd|rd|th)?[-./ ]+(?<month>[a-z]{3})[a-z]*[-./, ]+(?<year>\d{4})/i,
  /^(?<year>\d{4})[-./ ](?<month>[a-z]{3})[a-z]*[-./ ](?<day>\d{1,2})(?!\d)/i,
  /^(?:[a-z]{3,9},? )?(?<month>[a-z]{3})[a-z]* +(?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: \d[\d:]*)?(?: [a-z]{3,5})? +(?<year>\d{4})/i,
];

/** A day as registries write it, with its time and zone where they are ISO. */
function readDate(written: string, { dates }: WhoisServer, now: Date): Instant | null {
  const text = written.replace(/^["'#]+/, "").trim();
  for (const form of DAYS) {
    const { year, month, day, rest } = form.exec(text)?.groups ?? {};
    if (year !== undefined) return instantOf(year, month, day, rest, now);
  }
  const numbers = /^(\d{1,2})([-./])(\d{1,2})[-./](\d{4})/.exec(text);
  if (numbers === null) return null;
  const [, first = "", separator, second = "", year] = numbers;
  // Between full stops the day is first.
  const order = separator === "." ? "dmy" : (dates ?? onlyOrder(Number(first), Number(second)));
  if (order === null) return null;
  const [day, month] = order === "dmy" ? [first, second] : [second, first];
  return instantOf(year, month, day, "", now);
}

/** The order in which two numbers can be a day and a month, if there is only one. */
function onlyOrder(first: number, second: number): "dmy" | "mdy" | null {
  if (first > 12 || first === second) return "dmy";
  return second > 12 ? "mdy" : null;
}

/** Without an offset it is UTC. */
function instantOf(year = "", month = "", day = "", rest = "", now: Date): Instant | null {
  const named = MONTHS.indexOf(month.toLowerCase()) + 1;
  const number = named > 0 ? String(named) : month;
  const date = `${year}-${number.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (!isDay(date)) return null;
  const time = /^[T ]+(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)? ?([+-]\d{2}):?(\d{2})?/.exec(rest);
  const text =
    time === null ? `${date}T00:00:00Z` : `${date}T${time[1]}${time[2]}:${time[3] ?? "00"}`;
  return plausibleInstant(Date.parse(text), now);
}

/** A line without the asked name, quotes, comment signs and a closing mark; in lower case. */
function foldLine(line: string, name: string): string {
  return line
    .toLowerCase()
    .replaceAll(name, "")
    .replaceAll(/["'`«»()]/g, "")
    .replaceAll(/[\s_]+/g, " ")
    .replace(/^[%#;*>\- ]+/, "")
    .trim();
}

/** Whether a text is a name: as A-label, as U-label, or as one with the other in brackets. */
function isName(text: string, name: string): boolean {
  return text
    .split(/[\s()[\]]+/)
    .some((word) => foldHost(word) === name || domainToASCII(foldHost(word)) === name);
}

/** Longer paragraphs are terms of use, which speak of limits as well. */
const MAX_NOTICE = 300;

/** Sentences that tell us to wait, that a limit is reached, or that we are shut out. */
const THROTTLED: readonly RegExp[] = [
  /\bwait\b.*(?:\d|\b(?:again|another|before|later|seconds?|minutes?|hours?)\b)/,
  /\b(?:try again (?:later|in|after)|slow down|go away for|per second allowed|excessive querying)\b/,
  /^(?:request denied|rate limit|quota)|\b(?:request denied|rate limit|quota)$/,
  /\b(?:exceeded|reached|hit|too many)\b.*\b(?:quer|request|connection|look-?up|quota|limit|rate)/,
  /\b(?:quer|request|connection|look-?up|quota|limit|rate).*\b(?:exceeded|reached)\b/,
  /\b(?:you|your|ip|address|host|client|access|\d+)\b.*\b(?:black-?listed|banned|blocked)\b/,
];

/** Before them, it makes the sentence conditional. */
const CONDITION = /\b(?:if|when|who|those|be|get)\b/;

function saysThrottled(lines: readonly string[]): boolean {
  const paragraphs = lines.join("\n").split(/\n{2,}/);
  return paragraphs
    .filter((text) => text.length <= MAX_NOTICE)
    .flatMap((text) =>
      text
        .replaceAll("\n", " ")
        .trim()
        .split(/[.:;!]+(?: |$)/),
    )
    .some((sentence) =>
      THROTTLED.some((form) => {
        const said = form.exec(sentence);
        return said !== null && !CONDITION.test(sentence.slice(0, said.index + said[0].length));
      }),
    );
}

/** Longer lines are terms of use, which also say "not found" and "available". */
const MAX_SENTENCE = 110;

function saysNotFound(line: string, phrases: readonly string[]): boolean {
  if (line === "" || line.length > MAX_SENTENCE) return false;
  const parts = [
    line,
    line.slice(line.indexOf(":") + 1).trim(),
    line.replace(/^(?:sorry, but )?(?:the )?(?:domain )?:?(?:name )?,? ?/, ""),
  ];
  return parts.some((part) => phrases.some((phrase) => part.startsWith(phrase)));
}
