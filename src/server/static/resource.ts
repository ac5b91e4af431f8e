import { matchesWeakly } from "../../shared/entity-tag.ts";
import { chooseCoding, type Coding } from "./content-negotiation.ts";

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
