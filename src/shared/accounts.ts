import {
  boolean,
  described,
  exactObject,
  expected,
  integer,
  isRecord,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  refuse,
  schemaOf,
  text,
  type Parsed,
  type Parser,
} from "./parse.ts";

/** The JSON shapes of `/api/accounts`: accounts at registrars that are read every day. */

/**
 * How a reading ended. Only `ok` is a complete list. `credentials`: the key is wrong or revoked;
 * `address`: our address is not allowed; `access`: the key lacks a right, or the plan does; `clock`: our
 * clock is off; `limited`: too many calls; `broken`: not the promised form, or no answer; `unstable`:
 * the pages contradict each other.
 */
export const OUTCOMES = [
  "ok",
  "credentials",
  "address",
  "access",
  "clock",
  "limited",
  "broken",
  "unstable",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a registrar's word for the status of a name means; `unknown` for words of no known meaning. */
const LISTED_STATUSES = [
  "active",
  "expired",
  "redemption",
  "pending-delete",
  "pending",
  "transferring-in",
  "transferring-out",
  "suspended",
  "unknown",
] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/**
 * `GET /api/registrar-apis`: what can be connected. `rights` says in words which rights to give, and
 * where; `recorded`: its answers have been recorded from a real account.
 */
export type RegistrarApi = Parsed<typeof parseRegistrarApi>;

const parseRegistrarApi = object({
  registrar: text,
  label: text,
  fields: list(object({ name: text, label: text, secret: boolean, optional: optional(boolean) })),
  rights: text,
  recorded: boolean,
});

export const parseRegistrarApis = object({ items: list(parseRegistrarApi) });

/** `refused`: the registrar refused the credentials twice, or they cannot be decrypted. */
const ACCOUNT_STATES = ["on", "paused", "refused"] as const;

/** Complete lists that a person is asked about before names that they lack count as gone. */
export type AccountQuestion = Parsed<typeof parseAccountQuestion>;

const parseAccountQuestion = object({ kind: oneOf(["shrunken"]), was: number, now: number });

/**
 * `GET /api/accounts/:id`. `outcome` and `detail` are of the last reading, null before the first;
 * `completeAt` is the instant of the last complete list, `nextAt` of the next reading. `counts` are
 * those of `NAME_CLASSES`.
 */
export type Account = Parsed<typeof parseAccount>;

export const parseAccount = object({
  id: text,
  version: number,
  registrar: text,
  label: text,
  state: oneOf(ACCOUNT_STATES),
  outcome: nullable(oneOf(OUTCOMES)),
  detail: nullable(text),
  completeAt: nullable(text),
  nextAt: nullable(text),
  counts: object({
    listed: number,
    new: number,
    vanished: number,
    skipped: number,
    left: number,
    refused: number,
  }),
  question: nullable(parseAccountQuestion),
});

/** `GET /api/accounts`, by registrar and label. */
export const parseAccounts = object({ items: list(parseAccount) });

export const ACCOUNT_LIMITS = { label: 100, field: 4096 } as const;

/**
 * What names can be narrowed to; a name may be in several. `listed`: all of the last complete list;
 * `new`: those of them that the register lacks and no one has refused; `vanished`: domains of the register that
 * the account no longer has; `left`: the account itself says that they went away; `skipped`: only
 * hosted there; `refused`: listed, but deleted or archived in the register, or not wanted.
 */
export const NAME_CLASSES = ["new", "listed", "vanished", "left", "skipped", "refused"] as const;
export type NameClass = (typeof NAME_CLASSES)[number];

/**
 * One name of an account, with the values of the last reading that told them; null is not told. `since`
 * is the UTC day on which its class began: first seen, gone, refused, archived. `reason` says why in words, or
 * what could not be read.
 */
export type AccountName = Parsed<typeof parseAccountName>;

const parseAccountName = object({
  name: text,
  unicode: text,
  expires: nullable(text),
  autoRenew: nullable(boolean),
  locked: nullable(boolean),
  privacy: nullable(boolean),
  nameservers: nullable(list(text)),
  price: nullable(object({ minor: number, currency: text, years: number })),
  status: nullable(oneOf(LISTED_STATUSES)),
  statusRaw: nullable(text),
  since: nullable(text),
  reason: nullable(text),
});

/** `GET /api/accounts/:id/names?class=new&after=`, by name; `next` goes into `after`. */
export const parseAccountNames = object({ items: list(parseAccountName), next: nullable(text) });

export const MAX_NAMES = { page: 500, request: 5000 } as const;

/**
 * `POST /api/accounts/:id/accept` and `/refuse`: some names, or all that are new while there are
 * `expectedCount` of them; 409 with `count` otherwise. Refused names can be accepted by name.
 */
export type NameSelection = { names: string[] } | { all: true; expectedCount: number };

const parseSome = exactObject({ names: list(text, { min: 1, max: MAX_NAMES.request }) });
const parseAll = exactObject({
  all: described(
    (value): true => (value === true ? value : refuse("choice", expected("true", value))),
    () => ({ const: true }),
  ),
  expectedCount: integer(0, Number.MAX_SAFE_INTEGER),
});

export const parseNameSelection: Parser<NameSelection> = described(
  (value) => (isRecord(value) && "all" in value ? parseAll(value) : parseSome(value)),
  () => ({ anyOf: [schemaOf(parseSome), schemaOf(parseAll)] }),
);

/** What undoes it; null where nothing changed. */
export const parseAccountOperation = object({ operation: nullable(text) });

/** `POST /api/accounts/:id/answer`: whether the account has shrunk, or the next reading decides. */
export const parseAccountAnswer = exactObject({ shrunken: oneOf(["believe", "wait"]) });
