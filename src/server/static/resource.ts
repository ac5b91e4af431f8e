import { matchesWeakly } from "../../shared/entity-tag.ts";
import { memoize } from "../../shared/memoize.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

interface Variant {
  bytes: Bytes;
  /** What is sent. A Response copies bytes for each slow reader; a Blob is shared by all. */
  content: Blob;
  tag: string;
  headers: Headers;
}

/** Something that can be fetched: one body, in every content coding that is ready so far. */
export interface Resource {
  readonly body: Bytes;
  readonly headers: Readonly<Record<string, string>>;
  readonly variants: Map<Coding, Variant>;
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
  const resource = { body, headers: own, variants: new Map() };
  addVariant(resource, "identity", body);
  return resource;
}

/** Adds the body in one more coding, under an entity tag of its own, if it is shorter that way. */
export function addVariant(resource: Resource, coding: Coding, bytes: Bytes) {
  const identity = coding === "identity";
  if (!identity && bytes.length >= resource.body.length) return;
  const hash = new Bun.CryptoHasher("sha256").update(resource.body).digest("base64url");
  const tag = `"${hash.slice(0, 22)}${identity ? "" : `-${coding}`}"`;
  resource.variants.set(coding, {
    bytes,
    content: new Blob([bytes]),
    tag,
    headers: new Headers({
      ...resource.headers,
      "Content-Length": String(bytes.length),
      ETag: tag,
      ...(!identity && { "Content-Encoding": coding }),
    }),
  });
}

/** Negotiates the coding, sends 304 if the client has that variant. An error page has no tag. */
export function resourceResponse(resource: Resource, request: Request, status = 200): Response {
  const { variants } = resource;
  const coding = chooseCoding(request.headers.get("accept-encoding"), variants);
  const variant = coding && variants.get(coding);
  if (!variant) return textResponse(406, "No encoding of this is acceptable to the client.");
  const { content, headers, tag } = variant;
  if (status !== 200) {
    const response = new Response(content, { status, headers });
    response.headers.delete("ETag");
    return response;
  }
  const known = request.headers.get("if-none-match");
  if (known !== null && matchesWeakly(known, tag)) {
    const response = new Response(null, { status: 304, headers });
    for (const name of CONTENT_HEADERS) response.headers.delete(name);
    return response;
  }
  return new Response(content, { headers });
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

/** RFC 9110 §12.5.3. Without the header only the identity coding is sent. Null: 406. */
export function chooseCoding(
  header: string | null,
  offered: Pick<ReadonlySet<Coding>, "has">,
): Coding | null {
  if (header === null) return offered.has("identity") ? "identity" : null;
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
