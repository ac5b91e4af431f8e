/** The JSON shapes that cross `/api/`: types only, so that neither side pulls the other in. */

/** A calendar day, `YYYY-MM-DD`, as the source wrote it; it has no time zone. */
export type Day = string;

/** An instant, RFC 3339 in UTC, such as `2026-11-21T03:18:37.000Z`. */
export type Instant = string;

/** RFC 9457 problem document, the body of every answer that is not a success. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: FieldProblem[];
  /** With 412: the copy that the server holds now. */
  current?: Domain;
  /** With 409: the id of the domain that has this name, or the import that has this upload, already. */
  existing?: string;
  /** With 409 to a bulk change: how many names match now. */
  count?: number;
}

/** One bad field; `pointer` is a JSON Pointer (RFC 6901) into the request, such as `/name`. */
export interface FieldProblem {
  pointer: string;
  code: string;
  detail: string;
}

/** `GET /api/token`. `set-up`: nobody owns this register yet. */
export type Session =
  { state: "set-up" } | { state: "signed-out" } | { state: "signed-in"; email: string };

/** `POST /api/token` to sign in. */
export interface Credentials {
  email: string;
  password: string;
}

/** `POST /api/token` to create the owner; `setUpCode` is printed where the server started. */
export interface OwnerSetUp extends Credentials {
  setUpCode: string;
}

export type Decision = "keep" | "drop" | "transfer" | "watch";

/** What a name costs to renew; `minor` counts the currency's smallest unit, `currency` is ISO 4217. */
export interface Renewal {
  minor: number;
  currency: string | null;
  years: number | null;
}

/** The effective expiry: who said it, when, and whether another source says otherwise. */
export interface Expiry {
  date: Day;
  source: string;
  observedAt: Instant;
  conflict: boolean;
}

/** One domain name of the register. `name` is the lower-case A-label form, `unicode` is for people. */
export interface Domain {
  id: string;
  version: number;
  name: string;
  unicode: string;
  registrar: string | null;
  account: string | null;
  owner: string | null;
  tags: string[];
  decision: Decision | null;
  autoRenew: boolean | null;
  expires: Expiry | null;
  renewal: Renewal | null;
  notes: string;
}

/**
 * `POST /api/domains` (only `name` is required) and `PATCH /api/domains/:id` (what is absent stays).
 * A day in `expires` is a manual observation and outranks every other; `null` withdraws it.
 */
export interface DomainInput {
  name?: string;
  registrar?: string | null;
  account?: string | null;
  owner?: string | null;
  tags?: string[];
  decision?: Decision | null;
  autoRenew?: boolean | null;
  expires?: Day | null;
  renewal?: Renewal | null;
  notes?: string;
}

/** What one source said of an expiry; `date` null: it was withdrawn. */
export interface Observation {
  source: string;
  date: Day | null;
  observedAt: Instant;
}

/** `GET /api/domains/:id`, where the id may also be the name: the newest word of every source too. */
export interface DomainDetail extends Domain {
  observations: Observation[];
  createdAt: Instant;
  updatedAt: Instant;
}

/** One page of `GET /api/domains`. `next` goes into `after`; `total` counts every match. */
export interface DomainPage {
  items: Domain[];
  next: string | null;
  total: number;
}

/** One change of a domain, newest first in `GET /api/domains/:id/history`. */
export interface Change {
  id: string;
  at: Instant;
  /** Who made it: an e-mail address. */
  by: string;
  action: "added" | "edited" | "deleted";
  fields: { field: string; before: unknown; after: unknown }[];
  /** The import that made it, or whose undoing did. */
  import?: string;
}

/** `GET /api/domains/:id/history?limit=100&after=`; `next` goes into `after`. */
export interface ChangePage {
  items: Change[];
  next: string | null;
}

/** `POST /api/upload/post`: what was stored; `sha256` is lower-case hexadecimal. */
export interface Upload {
  uploadId: string;
  name: string;
  bytes: number;
  sha256: string;
}
