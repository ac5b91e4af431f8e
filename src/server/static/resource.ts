import { allowsRange, parseByteRange } from "./byte-range.ts";
import { chooseCoding, type Coding } from "./accept-encoding.ts";
import { matchesWeakly } from "../../shared/entity-tag.ts";
import { memoize } from "../../shared/memoize.ts";
import { entityTag } from "./entity-tag.ts";
import { refuse } from "./plain-answers.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

interface Variant {
  bytes: Bytes;
  /** What is sent: of bytes each reader would get a copy, and slow ones keep theirs. */
  content: Blob;
  tag: string;
  headers: Headers;
}

/** Something that can be fetched: one body, in every content coding that is ready so far. */
export interface Resource {
  readonly body: Bytes;
  readonly headers: Readonly<Record<string, string>>;
  readonly variants: Map<Coding, Variant>;
  /** The variant for an Accept-Encoding header; null where it takes none. */
  choose(accepted: string): Variant | null;
}

/** What a 304 leaves out: RFC 9110 §15.4.5. */
const ABOUT_THE_BODY = ["Content-Encoding", "Content-Length", "Content-Type"];

/** Types that shrink. An image or a font is compressed already. */
const COMPRESSIBLE = /^text\/|javascript|json|xml|svg/;

/** Whether it is worth having in more than one coding. */
export function isCompressible(headers: Readonly<Record<string, string>>): boolean {
  return COMPRESSIBLE.test(headers["Content-Type"] ?? "");
}

export function createResource(body: Bytes, headers: Record<string, string>): Resource {
  const own = isCompressible(headers) ? { ...headers, Vary: "Accept-Encoding" } : headers;
  const resource = { body, headers: own, variants: new Map(), choose: choiceOf(new Map()) };
  addVariant(resource, "identity", body);
  return resource;
}

/** Adds the body in one more coding, under an entity tag of its own, unless it is no shorter so. */
export function addVariant(resource: Resource, coding: Coding, bytes: Bytes) {
  const plain = coding === "identity";
  if (!plain && bytes.length >= resource.body.length) return;
  const tag = entityTag(resource.body, plain ? "" : coding);
  resource.variants.set(coding, {
    bytes,
    content: new Blob([bytes]),
    tag,
    headers: new Headers({
      ...resource.headers,
      "Content-Length": String(bytes.length),
      ETag: tag,
      // Of the plain body a part can be asked for; of one that is decoded as a whole it is no use.
      ...(plain ? { "Accept-Ranges": "bytes" } : { "Content-Encoding": coding }),
    }),
  });
  resource.choose = choiceOf(resource.variants);
}

function choiceOf(variants: Map<Coding, Variant>) {
  const offered = new Set(variants.keys());
  return memoize((accepted) => {
    const coding = chooseCoding(accepted, offered);
    return (coding && variants.get(coding)) ?? null;
  });
}

/**
 * Answers GET and HEAD: negotiates the coding, and says 304 where the client has that variant.
 * With another status than 200 the validators are left out: an error is not to be kept.
 */
export function answerWith(resource: Resource, request: Request, status = 200): Response {
  const accepted = request.headers.get("accept-encoding");
  const variant = accepted === null ? resource.variants.get("identity") : resource.choose(accepted);
  if (!variant) return refuse(406, "No encoding of this is acceptable to the client.");
  const { content, headers, tag } = variant;
  if (status !== 200) {
    const response = new Response(content, { status, headers });
    response.headers.delete("ETag");
    return response;
  }
  const known = request.headers.get("if-none-match");
  if (known !== null && matchesWeakly(known, tag)) {
    const response = new Response(null, { status: 304, headers });
    for (const name of ABOUT_THE_BODY) response.headers.delete(name);
    return response;
  }
  const range = request.headers.get("range");
  const part = range === null ? null : answerPart(variant, range, request);
  return part ?? new Response(content, { headers });
}

/** Answers with a part of the plain body; null where the whole of it is to be sent. */
function answerPart({ bytes, headers, tag }: Variant, range: string, request: Request) {
  if (request.method !== "GET" || !headers.has("accept-ranges")) return null;
  if (!allowsRange(request.headers.get("if-range"), tag)) return null;
  const part = parseByteRange(range, bytes.length);
  if (part === null) return null;
  if (part === "unsatisfiable")
    return refuse(416, "There is no such part.", { "Content-Range": `bytes */${bytes.length}` });
  const { start, end } = part;
  const response = new Response(bytes.subarray(start, end), { status: 206, headers });
  response.headers.set("Content-Range", `bytes ${start}-${end - 1}/${bytes.length}`);
  response.headers.set("Content-Length", String(end - start));
  return response;
}
