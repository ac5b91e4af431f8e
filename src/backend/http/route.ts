import type { SQL } from "bun";
import { type Peer, urlFor } from "../../shared/api.ts";
import type { JsonSchema, Parser } from "../../shared/parse.ts";
import type { Filter } from "../../shared/filter.ts";
import type { NamedPerson } from "../../shared/domain.ts";
import type { Right, Role } from "../../shared/session.ts";
import type { WorkTime } from "../../shared/work.ts";
import type { TokenScope } from "../../shared/tokens.ts";
import type { Database, ReadNow } from "../database/database.ts";

export interface UserAccount {
  id: string;
  email: string;
  /** What others see: the e-mail address unless the person has chosen a name. */
  name: string;
  role: Role;
}

export interface User extends UserAccount {
  /** The API token that the request came with; null for a session. */
  token: { id: string; name: string; scope: TokenScope } | null;
}

/**
 * What a person sees of the register: all, no domain, or those that the filter of a limit finds. Whatever reads
 * domains takes one. It crosses to the threads in which jobs run.
 */
export type Sight =
  | typeof EVERYTHING
  | typeof NOTHING
  | { filter: Filter; time: WorkTime; people: readonly NamedPerson[] };

/** For those without a limit, for writes, and for what the product does by itself. */
export const EVERYTHING = "everything";
export const NOTHING = "nothing";

/** A type of content that a handler reads or writes by itself, such as `text/csv`. */
type MediaType = `${string}/${string}`;

/** Reads the parameters of a query. Made by `queryOf`, except for those of a view. */
export interface QueryParser<T> {
  (parameters: URLSearchParams): T;
  /** Of the object that has a member for each parameter, a number where the text is one. */
  readonly schema: () => JsonSchema;
}

export interface RequestContext<
  Path extends string = string,
  Least extends Right = Right,
  Query extends AnyQuery = AnyQuery,
  Body extends AnyBody = AnyBody,
> {
  /** Judges the sender again in each transaction that writes, where the route is not public. */
  database: Database;
  /** Throws where what the sender was let in by has ended; nothing of a stranger. */
  judge: (sql: SQL) => Promise<void>;
  request: Request;
  url: URL;
  /** When the request came, by the clock of this machine. */
  now: Date;
  /** The clock of the database: use it for anything that expires. */
  readNow: ReadNow;
  brand: string;
  /** Where people find this server; null if that is not configured. */
  publicUrl: string | null;
  peer: Peer;
  /** The session that the request came with: none with an API token. */
  session: {
    /** Has no row in the database without a user. */
    id: string | null;
    /** Its last use before this one is an hour ago. */
    isStale: boolean;
    /** The person signed in or gave their password again within the last 15 minutes. */
    isProved: boolean;
  };
  /** Null only where the route is public. */
  user: Least extends "public" ? User | null : User;
  /** Of a public route: nothing. */
  sight: Sight;
  /** What stands in the place of `:id` and the like, percent-decoded. */
  params: Readonly<Record<ParamOf<Path>, string>>;
  query: ReadBy<Query>;
  body: ReadBy<Body>;
}

/** `"id"` of `/api/views/:id`, `"secret"` of `/api/calendar/:secret.ics`. */
type ParamOf<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${string}` | `${infer Name}.${string}`
    ? Name
    : Rest
  : never;

type AnyQuery = QueryParser<unknown>;
type AnyBody = Parser<unknown> | MediaType;
type AnyAnswer = Parser<unknown> | MediaType | null;

/** What the parser of a query or of a body makes of it; nothing of a body that the handler reads. */
type ReadBy<Given> = Given extends (...given: never[]) => infer T ? T : never;

type ResultOf<Answer> =
  Answer extends Parser<infer T>
    ? T | Reply<T>
    : Answer extends null
      ? Reply<undefined> | void
      : Response;

/** What a route does, beside its address and who may call it. */
interface RouteSpec<
  Path extends string = string,
  Least extends Right = Right,
  Query extends AnyQuery = AnyQuery,
  Body extends AnyBody = AnyBody,
  Answer extends AnyAnswer = AnyAnswer,
> {
  /** What it does, in one line for the description of the API: `List domains`. */
  summary: string;
  /** Knowing the path is enough to call it: it stays out of logs, and needs no XSRF token. */
  hasSecret?: true;
  /** Without it, parameters are ignored. */
  query?: Query;
  /** A parser of JSON, or the type of what the handler reads from the request by itself. */
  body?: Body;
  form?: Parser<unknown>;
  /** Request headers without which it is 400. */
  headers?: Readonly<Record<string, Parser<string>>>;
  /** Of the body; 256 KB of JSON unless given. */
  maxBytes?: number;
  /** A parser that accepts the JSON, the type of a `Response` from the handler, or null for 204. */
  answer: Answer;
  /** Of success, the usual one first: 200, or 204 for null, unless given. */
  statuses?: readonly number[];
  /** Headers of success that are not in every answer. */
  sends?: readonly ("ETag" | "Location")[];
  /** Of problems, beside those that follow from the rest: see `problemStatuses`. */
  problems?: readonly number[];
  // A method, not a function in a property: only so is a route of some path and body a `Route`.
  handle(
    context: RequestContext<Path, Least, Query, Body>,
  ): ResultOf<Answer> | Promise<ResultOf<Answer>>;
}

/** One method of one path, checked before `handle` runs. The description of the API reads it, too. */
export interface Route extends RouteSpec {
  method: string;
  path: string;
  role: Right;
  /** By `PERSONAL` and `POWER` alone. */
  readonly access?: "session" | "proof";
}

/** What only people may do: an API token is refused with 403, whatever its scope (`access: "session"`). */
const PERSONAL =
  /^(?!GET \/api\/token$)\w+ \/api\/(?:people|invitations|tokens?|password|email|profile|sessions|factors|passkeys|oidc)(?:\/|$)/;

/** To write people, ways to sign in, secrets, and where messages go takes a proof (`access: "proof"`). */
const POWER =
  /^(?!GET )\w+ \/api\/(?:(?:people|invitations|tokens|factors|passkeys|oidc|sign-in|channels|calendars|mail-server)(?:\/|$)|accounts(?:\/:id)?$)/;

/**
 * A route, whose handler gets its types from what the route says. In `address`, `:id` stands for a UUID, another
 * name for any one segment; the first path that fits wins. `role` is the least that may call it.
 */
export function route<
  const Path extends string,
  const Least extends Right,
  Answer extends AnyAnswer,
  Query extends AnyQuery,
  Body extends AnyBody,
>(
  address: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} ${Path}`,
  role: Least,
  spec: RouteSpec<Path, Least, Query, Body, Answer>,
): Route {
  const [method = "", path = ""] = address.split(" ");
  const made: Route = { ...spec, method, path, role };
  if (role !== "public" && POWER.test(address)) return { ...made, access: "proof" };
  return PERSONAL.test(address) ? { ...made, access: "session" } : made;
}

/** An answer with headers, or with another status than the first of its route. */
export class Reply<T> {
  readonly value: T;
  readonly headers: [name: string, value: string][];
  readonly status: number | null;

  constructor(value: T, headers: Reply<T>["headers"] = [], status: number | null = null) {
    this.value = value;
    this.headers = headers;
    this.status = status;
  }
}

/** Where people find this server: as it was configured, else as this request did. */
export function originOf({
  publicUrl,
  peer,
  url,
}: Pick<RequestContext, "publicUrl" | "peer" | "url">): string {
  return publicUrl ?? `${peer.secure ? "https" : "http"}://${url.host}${urlFor(peer, "")}`;
}

/** All statuses of success that a route may answer, the usual one first. */
export function successStatuses({ answer, statuses }: Route): readonly number[] {
  return statuses ?? [answer === null ? 204 : 200];
}

export function problemStatuses({ path, body, problems = [] }: Route): Set<number> {
  return new Set([
    ...(path.includes(":") ? [404] : []),
    ...(body === undefined ? [] : [408, 413, 415]),
    ...problems,
    // 400 and 429 are of an API token, beside a cookie or from a locked address.
    400,
    401,
    403,
    429,
    500,
    503,
  ]);
}

export function secretPaths(routes: readonly Route[]): string[] {
  const secret = routes.filter(({ hasSecret }) => hasSecret);
  return [...new Set(secret.map(({ path }) => path.slice(0, path.indexOf(":"))))];
}
