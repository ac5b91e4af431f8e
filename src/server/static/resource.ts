import { matchesWeakly } from "../../shared/entity-tag.ts";
import { memoize } from "../../shared/memoize.ts";
import { chooseCoding, type Coding } from "./content-negotiation.ts";
import { textResponse } from "./text-response.ts";

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
  /** The variant for an Accept-Encoding header; null where the client accepts none. */
  choose(accepted: string): Variant | null;
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
  const resource = { body, headers: own, variants: new Map(), choose: createChoice(new Map()) };
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
      // Ranges apply only to the identity encoding.
      ...(identity ? { "Accept-Ranges": "bytes" } : { "Content-Encoding": coding }),
    }),
  });
  resource.choose = createChoice(resource.variants);
}

function createChoice(variants: Map<Coding, Variant>) {
  const offered = new Set(variants.keys());
  return memoize((accepted) => {
    const coding = chooseCoding(accepted, offered);
    return (coding && variants.get(coding)) ?? null;
  });
}

/**
 * Answers GET and HEAD: negotiates the coding, and sends 304 where the client has that variant. With
 * another status than 200 there is no entity tag: an error page is not to be revalidated.
 */
export function resourceResponse(resource: Resource, request: Request, status = 200): Response {
  const accepted = request.headers.get("accept-encoding");
  const variant = accepted === null ? resource.variants.get("identity") : resource.choose(accepted);
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
  const range = request.headers.get("range");
  const partial = range === null ? null : partialResponse(variant, range, request);
  return partial ?? new Response(content, { headers });
}

/** A part of the identity encoding; null where the whole of it is to be sent: RFC 9110 §14.2. */
function partialResponse({ bytes, headers, tag }: Variant, range: string, request: Request) {
  if (request.method !== "GET" || !headers.has("accept-ranges")) return null;
  // Strong comparison, and a date never matches, for no Last-Modified is sent: RFC 9110 §13.1.5.
  const ifRange = request.headers.get("if-range");
  if (ifRange !== null && ifRange.trim() !== tag) return null;
  const part = parseByteRange(range, bytes.length);
  if (part === null) return null;
  if (part === "unsatisfiable") {
    const length = { "Content-Range": `bytes */${bytes.length}` };
    return textResponse(416, "The range lies outside the content.", length);
  }
  const { start, end } = part;
  const response = new Response(bytes.subarray(start, end), { status: 206, headers });
  response.headers.set("Content-Range", `bytes ${start}-${end - 1}/${bytes.length}`);
  response.headers.set("Content-Length", String(end - start));
  return response;
}

/** One range. A list of them would need a multipart response and is ignored, as it may be. */
const RANGE = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i;

/** The first byte and the one after the last; null where the header is to be ignored. */
function parseByteRange(header: string, size: number) {
  const [, first, last, suffix] = RANGE.exec(header) ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  if (first === undefined) return null;
  const start = Number(first);
  const end = last ? Number(last) + 1 : size;
  if (end <= start && last) return null;
  return start >= size ? "unsatisfiable" : { start, end: Math.min(end, size) };
}
