import { matchesWeakly } from "../../shared/entity-tag.ts";
import { memoize } from "../../shared/memoize.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** Something that can be fetched, as plain data: one body, in every content coding that is ready so far. */
export interface Resource {
  readonly body: Bytes;
  /** For the entity tags of the body and of its other codings. */
  readonly hash: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly variants: Map<Coding, Bytes>;
}

/** Headers that a 304 leaves out: RFC 9110 §15.4.5. */
const CONTENT_HEADERS = ["Content-Encoding", "Content-Length", "Content-Type"];

const COMPRESSIBLE = /^text\/|javascript|json|xml|svg/;

/** Whether compression makes it smaller. An image or a font is compressed already. */
export function isCompressible(headers: Readonly<Record<string, string>>): boolean {
  return COMPRESSIBLE.test(headers["Content-Type"] ?? "");
}

export function createResource(body: Bytes, headers: Record<string, string>): Resource {
  const own = isCompressible(headers) ? { ...headers, Vary: "Accept-Encoding" } : headers;
  const hash = new Bun.CryptoHasher("sha256").update(body).digest("base64url").slice(0, 22);
  return { body, hash, headers: own, variants: new Map([["identity", body]]) };
}

/** Adds the body in one more coding, if it is shorter that way. */
export function addVariant({ body, variants }: Resource, coding: Coding, bytes: Bytes) {
  if (bytes.length < body.length) variants.set(coding, bytes);
}

/** Keyed by the bytes of a variant. A Response copies bytes for each slow reader, but shares a Blob. */
const contents = new WeakMap<Bytes, { blob: Blob; tag: string; headers: Headers }>();

function contentOf(resource: Resource, coding: Coding) {
  const bytes = resource.variants.get(coding) ?? resource.body;
  return contents.getOrInsertComputed(bytes, () => {
    const isPlain = coding === "identity";
    const tag = `"${resource.hash}${isPlain ? "" : `-${coding}`}"`;
    const about = { "Content-Length": String(bytes.length), ETag: tag };
    const headers = new Headers({ ...resource.headers, ...about });
    if (!isPlain) headers.set("Content-Encoding", coding);
    return { blob: new Blob([bytes]), tag, headers };
  });
}

/** Negotiates the coding, sends 304 if the client has that variant. An error page has no tag. */
export function resourceResponse(resource: Resource, request: Request, status = 200): Response {
  const coding = chooseCoding(request.headers.get("accept-encoding"), resource.variants);
  if (coding === null) return textResponse(406, "No encoding of this is acceptable to the client.");
  const { blob, headers, tag } = contentOf(resource, coding);
  if (status !== 200) {
    const response = new Response(blob, { status, headers });
    response.headers.delete("ETag");
    return response;
  }
  if (matchesWeakly(request.headers.get("if-none-match"), tag)) {
    const response = new Response(null, { status: 304, headers });
    for (const name of CONTENT_HEADERS) response.headers.delete(name);
    return response;
  }
  return new Response(blob, { headers });
}

export function textResponse(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}

/** Content codings that a prepared body may exist in; among equals the first is sent. */
export const CODINGS = ["br", "zstd", "gzip", "identity"] as const;

export type Coding = (typeof CODINGS)[number];

/** The quality of an identity coding that a header does not mention: acceptable, but the last choice. */
const UNMENTIONED_IDENTITY = 0.0001;

/** RFC 9110 §12.5.3. Without the header the identity coding is sent, which is always there. Null: 406. */
export function chooseCoding(
  header: string | null,
  offered: Pick<ReadonlySet<Coding>, "has">,
): Coding | null {
  if (header === null) return "identity";
  const qualities = parseQualities(header);
  const any = qualities.get("*");
  let best: Coding | null = null;
  let highest = 0;
  for (const coding of CODINGS) {
    if (!offered.has(coding)) continue;
    const unmentioned = any ?? (coding === "identity" ? UNMENTIONED_IDENTITY : 0);
    const quality = qualities.get(coding) ?? unmentioned;
    if (quality > highest) [best, highest] = [coding, quality];
  }
  return best;
}

/** Media ranges that include `text/html`, the most specific first: RFC 9110 §12.5.1. */
const HTML_RANGES = ["text/html", "text/*", "*/*"] as const;

export function acceptsHtml(header: string | null): boolean {
  if (header === null) return true;
  const qualities = parseQualities(header);
  if ((qualities.get("application/xhtml+xml") ?? 0) > 0) return true;
  const range = HTML_RANGES.find((name) => qualities.has(name));
  return range !== undefined && (qualities.get(range) ?? 0) > 0;
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The members of a weighted list, in lower case: RFC 9110 §12.4.2. A malformed weight counts as 0. */
const parseQualities = memoize((header): ReadonlyMap<string, number> => {
  const qualities = new Map<string, number>();
  for (const member of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim());
    if (name === "") continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    const quality = QUALITY.test(weight) ? Number(weight) : 0;
    qualities.set(name === "x-gzip" ? "gzip" : name, quality);
  }
  return qualities;
});
