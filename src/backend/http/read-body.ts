import { problem } from "./problem.ts";

/** Bytes that a JSON body may have; the longest notes in four-byte characters fit several times. */
const MAX_JSON_BYTES = 256 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a JSON body, or answers why not: 415 for another content type, 413 above `limit` bytes (what
 * comes after is not kept; 256 KiB unless given), 400 for what is no JSON in UTF-8.
 */
export async function readJson(request: Request, limit = MAX_JSON_BYTES): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!JSON_TYPE.test(type)) {
    const came = type.slice(0, 100) || "no type";
    return problem(415, `Expected a body of type application/json, but got ${came}`);
  }
  const bytes = await readBytes(request, limit);
  if (bytes === null) {
    return problem(413, `Expected a body of at most ${limit} bytes, but got more`);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return problem(400, "Expected a JSON document in UTF-8, but the body is not one");
  }
}

/** The whole body, or null when it has more than `limit` bytes; it stops reading there. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) {
    await request.body?.cancel().catch(() => undefined);
    return null;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
