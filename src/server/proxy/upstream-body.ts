import type { RequestFraming } from "./request-head.ts";
import type { Bytes } from "../static/resource.ts";
import type { Connection } from "./upstream-connection.ts";
import { ClientLeftError } from "./upstream-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** Bodies up to this many bytes are passed on in one piece, together with their head. */
export const SMALL_BODY = 65_536;

/** The content of a request on its way to the backend. */
export interface RequestContent {
  framing: RequestFraming;
  /** All of it, where it is small. */
  whole?: Bytes;
  /** Where it is large or of unknown length. */
  stream?: ReadableStream<Uint8Array>;
}

export const NO_CONTENT: RequestContent = { framing: null };

/**
 * Reads a small body, and leaves any other to be streamed. GET and HEAD have none that means anything:
 * RFC 9110 §9.3.1. Where any other method has none, that is said by a length of 0.
 */
export async function readContent(request: Request): Promise<RequestContent> {
  const length = request.headers.get("content-length");
  if (length === "0") return { framing: 0 };
  if (length !== null && Number(length) <= SMALL_BODY) {
    const whole = await request.bytes();
    return { framing: whole.length, whole };
  }
  if (request.body === null) return { framing: 0 };
  return { framing: length === null ? "chunked" : Number(length), stream: request.body };
}

/** What is done while a body is on its way. */
interface Passage {
  connection: Connection;
  watchdog: Watchdog;
  /** Whether the rest is of no use any more. */
  over: () => boolean;
  /** Called after each part that came. */
  heard: (() => void) | undefined;
}

/**
 * Passes a body on as it comes, no faster than the backend takes it. A client may take its time: the
 * watchdog sleeps while one is waited for.
 *
 * @throws {ClientLeftError} Where less of it came than was announced.
 */
export async function streamContent(
  { framing, stream }: RequestContent,
  { connection, watchdog, over, heard }: Passage,
): Promise<void> {
  if (!stream) return;
  const reader = stream.getReader();
  let missing = framing === "chunked" ? Number.POSITIVE_INFINITY : Number(framing);
  let parts = 0;
  while (missing > 0) {
    watchdog.rest();
    const { done, value } = await reader.read();
    watchdog.reset();
    heard?.();
    if (over()) return reader.cancel();
    if (done) break;
    missing -= value.length;
    if (missing < 0) throw new RangeError("Expected no more of a body than its length.");
    if (framing === "chunked") await writeChunk(connection, value);
    else await connection.write(value);
    release(value);
    // Parts that are there already come without a wait, and a client may send a byte in each.
    if (++parts % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    if (over()) return reader.cancel();
  }
  if (framing === "chunked") await connection.write(LAST_CHUNK);
  else if (missing > 0) throw new ClientLeftError("The body ended too soon.");
}

/** Parts that are passed on in a row before everybody else has a turn. */
const TURN = 64;

/** Bytes up to which a part is copied rather than sent by three calls of the system. */
const COPIED = 4096;

const CHUNK_END = Buffer.from("\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

async function writeChunk(connection: Connection, part: Uint8Array): Promise<void> {
  const start = Buffer.from(`${part.length.toString(16)}\r\n`);
  const pieces = [start, part, CHUNK_END];
  for (const piece of part.length > COPIED ? pieces : [Buffer.concat(pieces)])
    await connection.write(piece);
}

/**
 * Gives a part's memory back at once. It lies outside the heap, where the collector does not see it
 * grow: left to itself it lets 40 MB of parts pile up.
 */
function release({ buffer }: Uint8Array) {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
