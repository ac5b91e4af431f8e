import type { Peer } from "./api.ts";

/** Why a body was not read to its end. `refused`: the peer holds too many bytes. */
export type BodyFault = "too large" | "too many parts" | "late" | "refused";

/** An average: each part costs a microsecond, and a stranger can send single bytes. */
const BYTES_PER_PART = 64;

/** What the client is told then, with 400. */
export const TOO_MANY_PARTS = "The body came in too many small parts.";

/** A body's first buffer; most fit into it. */
const FIRST_BUFFER_BYTES = 1024;

/**
 * Reads at most `maxBytes` within `timeoutMs`. Bytes are counted with `peer.hold` as they arrive.
 *
 * @returns What is wrong, if it is not complete; its stream is cancelled then.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  peer: Pick<Peer, "hold">,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Uint8Array<ArrayBuffer> | BodyFault> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const stop = async (fault: BodyFault) => {
    await reader.cancel().catch(() => undefined);
    return fault;
  };
  let isLate = false;
  // Ends a pending read. A race with one promise would keep a reaction for each chunk.
  const deadline = setTimeout(() => {
    isLate = true;
    void reader.cancel().catch(() => undefined);
  }, timeoutMs);
  // One buffer: a chunk of one byte kept by itself would occupy hundreds.
  let buffer = new Uint8Array(Math.min(FIRST_BUFFER_BYTES, maxBytes));
  let size = 0;
  try {
    for (let parts = 1; ; parts += 1) {
      const part = await reader.read();
      if (isLate) return "late";
      if (part.done) return buffer.subarray(0, size);
      const before = size;
      size += part.value.byteLength;
      if (parts * BYTES_PER_PART > maxBytes) return await stop("too many parts");
      if (size > maxBytes) return await stop("too large");
      if (peer.hold?.(part.value.byteLength) === false) return await stop("refused");
      if (size > buffer.byteLength) {
        const larger = new Uint8Array(Math.min(2 * size, maxBytes));
        larger.set(buffer.subarray(0, before));
        buffer = larger;
      }
      buffer.set(part.value, before);
    }
  } finally {
    clearTimeout(deadline);
  }
}
