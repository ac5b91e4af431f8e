import type { Metric } from "./metrics.ts";

export interface Peer {
  /** The client's own address: what a trusted proxy says it is, else `remoteAddress`. */
  address: string;
  /** The other end of the connection: the proxy's address where one stands in front. */
  remoteAddress: string;
  secure: boolean;
  /** What stands before every path on the way to the browser, such as `/names`; nothing at the root. */
  basePath?: string;
  /** The e-mail address that a trusted proxy signs in, for this request only. */
  proxyUser?: string;
  /** Counts bytes of the body that stay in memory until the response is made. False if too many: answer 503. */
  hold?: (bytes: number) => boolean;
  /** Gives back what was held, where the bytes were forwarded instead of kept. */
  release?: () => void;
  /** Call it with each part of a long body, and before long work: a silent connection is closed. */
  refreshIdleTimer?: () => void;
}

/** What answers `/api/`: the proxy and the embedded backend have the same shape. */
export interface Api {
  /** Never rejects: every failure is a response. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  /** The path of the route that a request's path belongs to, `/api/domains/:id`; null: of none. */
  routeOf?(path: string): string | null;
  /** Its own metrics; never rejects. */
  metrics?(): Promise<readonly Metric[]>;
  /** Whether a request would find what it needs right now; if not, what is missing, for the operator. */
  ready(): Promise<true | string>;
  /** Finishes what is running and releases everything; may be called again. */
  close(): Promise<void>;
}

/** The URL of a path of this server as the client sees it: for links, redirects, `Location`. */
export function urlFor({ basePath = "" }: Peer, path: string): string {
  return basePath + path;
}

/** The path of a URL as a log may hold it: of `secretPaths`, without the end. */
export function logPath(path: string, secretPaths: readonly string[]): string {
  const known = secretPaths.find((each) => path.startsWith(each) && path !== each);
  return known === undefined ? path : `${known}***`;
}

/** The key that limits count by: an IPv4 address, or an IPv6 /64, whose owner has all its addresses. */
export function subscriberOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after].slice(0, 4).join(":");
}

/** `/names/home` is `/home` below `/names`. A proxy may have taken the base path off before. */
export function pathBelow(basePath: string, path: string): string {
  const isBelow = path === basePath || path.startsWith(`${basePath}/`);
  return isBelow ? path.slice(basePath.length) || "/" : path;
}

/** What a cookie is called below a base path: `XSRF-TOKEN~names`. A base path has no `~` itself. */
export function cookieNameAt(basePath: string, name: string): string {
  return name + basePath.replaceAll("/", "~");
}
