import * as p from "./parse.ts";

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
export type RegistrarApi = p.Parsed<typeof parseRegistrarApi>;

const parseRegistrarApi = p.object({
  registrar: p.text,
  label: p.text,
  fields: p.list(
    p.object({ name: p.text, label: p.text, secret: p.boolean, optional: p.optional(p.boolean) }),
  ),
  rights: p.text,
  recorded: p.boolean,
});

export const parseRegistrarApis = p.object({ items: p.list(parseRegistrarApi) });

/** Complete lists that a person is asked about before names that they lack count as gone. */
export type AccountQuestion = p.Parsed<typeof parseAccountQuestion>;

const parseAccountQuestion = p.object({
  kind: p.oneOf(["shrunken"]),
  was: p.number,
  now: p.number,
});

/**
 * `GET /api/accounts/:id`. `outcome` and `detail` are of the last reading, null before the first;
 * `completeAt` is the instant of the last complete list, `nextAt` of the next reading. `counts` are
 * those of `NAME_CLASSES`.
 */
export type Account = p.Parsed<typeof parseAccount>;

export const parseAccount = p.object({
  id: p.text,
  version: p.number,
  registrar: p.text,
  label: p.text,
  /** `refused`: the registrar refused the credentials twice, or they cannot be decrypted. */
  state: p.oneOf(["on", "paused", "refused"]),
  outcome: p.nullable(p.oneOf(OUTCOMES)),
  detail: p.nullable(p.text),
  completeAt: p.nullable(p.text),
  nextAt: p.nullable(p.text),
  counts: p.object({
    listed: p.number,
    new: p.number,
    vanished: p.number,
    skipped: p.number,
    left: p.number,
    refused: p.number,
  }),
  question: p.nullable(parseAccountQuestion),
});

/** `GET /api/accounts`, by registrar and label. */
export const parseAccounts = p.object({ items: p.list(parseAccount) });

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
export type AccountName = p.Parsed<typeof parseAccountName>;

const parseAccountName = p.object({
  name: p.text,
  unicode: p.text,
  expires: p.nullable(p.text),
  autoRenew: p.nullable(p.boolean),
  locked: p.nullable(p.boolean),
  privacy: p.nullable(p.boolean),
  nameservers: p.nullable(p.list(p.text)),
  price: p.nullable(p.object({ minor: p.number, currency: p.text, years: p.number })),
  status: p.nullable(p.oneOf(LISTED_STATUSES)),
  statusRaw: p.nullable(p.text),
  since: p.nullable(p.text),
  reason: p.nullable(p.text),
});

/** `GET /api/accounts/:id/names?class=new&after=`, by name; `next` goes into `after`. */
export const parseAccountNames = p.page(parseAccountName);

export const MAX_NAMES = { page: 500, request: 5000 } as const;

/**
 * `POST /api/accounts/:id/accept` and `/refuse`: some names, or all that are new while there are
 * `expectedCount` of them; 409 with `count` otherwise. Refused names can be accepted by name.
 */
export type NameSelection = { names: string[] } | { all: true; expectedCount: number };

const parseSome = p.exactObject({ names: p.list(p.text, { min: 1, max: MAX_NAMES.request }) });
const parseAll = p.exactObject({
  all: p.described(
    (value): true => (value === true ? value : p.refuse("choice", p.expected("true", value))),
    () => ({ const: true }),
  ),
  expectedCount: p.integer(0, Number.MAX_SAFE_INTEGER),
});

export const parseNameSelection: p.Parser<NameSelection> = p.described(
  (value) => (p.isRecord(value) && "all" in value ? parseAll(value) : parseSome(value)),
  () => ({ anyOf: [p.schemaOf(parseSome), p.schemaOf(parseAll)] }),
);

/** What undoes it; null where nothing changed. */
export const parseAccountOperation = p.object({ operation: p.nullable(p.text) });

/**
 * `POST /api/accounts/:id/answer`: whether the account has shrunk, or the next reading decides. 409
 * if the question has other numbers than are given.
 */
export const parseAccountAnswer = p.exactObject({
  shrunken: p.oneOf(["believe", "wait"]),
  was: p.optional(p.number),
  now: p.optional(p.number),
});
