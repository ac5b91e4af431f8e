import type { Day, Instant } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import type { FindingCode } from "../../shared/findings.ts";

export type MessageType =
  | "reminder.due"
  | "reminder.digest"
  | "finding.opened"
  | "finding.closed"
  | "domain.changed"
  | "account.notice"
  | "channel.test";

/** A domain that a message is to be about; the message is sent only while it still stands. */
export interface PayloadName {
  domainId: string;
  /** The day to act by that this is about; null for a finding. */
  expiresOn: Day | null;
  threshold: number | null;
  reason: "due" | "baseline" | "digest";
  /** It was not acknowledged for days. */
  escalated?: true;
  finding?: FindingCode;
}

export interface Payload {
  /** The most urgent first, at most `MAX_PAYLOAD_NAMES`. */
  names: readonly PayloadName[];
  more: readonly { threshold: number | null; reason: PayloadName["reason"]; names: number }[];
  /** The instants of the runs that told it, if any did. */
  runs: readonly Instant[];
  /** Domains that were renewed since they were told, with the day that they were told for. */
  renewed: readonly { domainId: string; expiresOn: Day }[];
  /** How many more than those were renewed. */
  moreRenewed: number;
  /** Domains without an expiry; null if it is not the day to say so. */
  unknown: number | null;
  /** In digests: domains that expired long ago although auto-renew is on, which no reminder names. */
  overdue: number | null;
  /** In a first message: domains that expired before anyone wanted to know, too long ago to be named. */
  longExpired: number | null;
  /** While the program did not run, and how many of the domains come late for it. */
  late: { from: Instant; to: Instant; names: number } | null;
  changedBy: string | null;
  subject: string | null;
  /** What `account.notice` says, which is about no domain. */
  notice: { title: string; text: string } | null;
}

export const EMPTY_PAYLOAD: Payload = {
  names: [],
  more: [],
  runs: [],
  renewed: [],
  moreRenewed: 0,
  unknown: null,
  overdue: null,
  longExpired: null,
  late: null,
  changedBy: null,
  subject: null,
  notice: null,
};

/** Completes what an older version wrote without some members; null: it cannot be read. */
export function readPayload(json: string): Payload | null {
  try {
    const payload: Payload = { ...EMPTY_PAYLOAD, ...JSON.parse(json) };
    const lists = [payload.names, payload.more, payload.renewed];
    return lists.every((each) => Array.isArray(each)) ? payload : null;
  } catch {
    return null;
  }
}

/** Domains that a payload lists; a message names fewer. */
export const MAX_PAYLOAD_NAMES = 500;

export function limitNames(all: readonly PayloadName[]): Pick<Payload, "names" | "more"> {
  return {
    names: all.slice(0, MAX_PAYLOAD_NAMES),
    more: countNames(all.slice(MAX_PAYLOAD_NAMES)),
  };
}

/** Counts by threshold and reason what a payload does not list. */
export function countNames(rest: readonly PayloadName[]): Payload["more"] {
  const groups = Map.groupBy(rest, ({ threshold, reason }) => `${threshold} ${reason}`);
  return [...groups.values()].flatMap((names) =>
    names.slice(0, 1).map(({ threshold, reason }) => ({ threshold, reason, names: names.length })),
  );
}

/** One domain of a message, as it is when the message is sent. Texts are not escaped. */
export interface MessageName {
  domain: Domain;
  expires: Day | null;
  /** Until `expires`; negative once it has passed. */
  days: number | null;
  threshold: number | null;
  reason: PayloadName["reason"];
  finding: PayloadName["finding"] | null;
  /** The heading above it: `Within 14 days · Acme`, or what a check found. */
  group: string;
  /** What to do, in one or two sentences; null for nothing. */
  advice: string | null;
  /** To its page, and to the page that acknowledges it; null without `PUBLIC_URL`. */
  link: string | null;
  acknowledgeLink: string | null;
}
