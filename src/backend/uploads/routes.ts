import type { Peer } from "../../shared/api.ts";
import * as p from "../../shared/parse.ts";
import { parseUpload, type Upload } from "../../shared/import.ts";
import { tooBusy, tooLarge } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { route, type RequestContext } from "../http/route.ts";
import { badForm, boundaryOf, displayName, readMultipart } from "./multipart.ts";
import { PART_BYTES, saveUpload, sweepUploads } from "./uploads.ts";
import type { Gauge } from "../database/metrics.ts";

export function createUploads(maxBytes: number) {
  const upload = route("POST /api/upload/post", "editor", {
    summary: "Upload a file to import",
    body: "multipart/form-data",
    form: p.object({ file: p.anything }),
    maxBytes,
    answer: parseUpload,
    statuses: [201],
    handle: (context) => storeUpload(maxBytes, context),
  });
  return { routes: [upload], sweeps: [sweepUploads], gauges: GAUGES };
}

const GAUGES: readonly Gauge[] = [
  [
    "freehold_uploads_bytes",
    "Uploads that are kept for an import, for a day.",
    (sql) => sql`select coalesce(sum(bytes), 0) as value from uploads`,
  ],
];

async function storeUpload(
  maxBytes: number,
  { database, request, user, peer }: RequestContext<"", "owner">,
): Promise<Upload> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    const came = type.slice(0, 100) || "no type";
    throw new RequestError(415, `Expected multipart/form-data, but got ${came}`);
  }
  const boundary = boundaryOf(type);
  if (boundary === null) throw badForm("Expected a boundary of 1 to 70 characters");
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
    await request.body?.cancel().catch(() => undefined);
    throw tooLarge(maxBytes);
  }

  const body = limitBytes(request.body ?? [], maxBytes, peer);
  return saveUpload(database, user.id, (write) =>
    receiveFile(readMultipart(body, boundary), write),
  );
}

/** Copies the one file of a form, and returns its name. @throws {RequestError} 400 unless it is in `file`. */
async function receiveFile(
  form: ReturnType<typeof readMultipart>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<string> {
  let name: string | null = null;
  for await (const { headers, data } of form) {
    const { name: field, filename } = headers;
    if (filename === null && field !== "file") continue;
    if (field !== "file") {
      throw badForm("Expected a file in the field `file` only, but got one in another");
    }
    if (filename === null) throw badForm("Expected a file in the field `file`, but got text");
    if (filename === "") {
      throw badForm("Expected a file in the field `file`, but none was chosen");
    }
    if (name !== null) throw badForm("Expected one file, but got two");
    name = displayName(filename);
    for await (const bytes of data) await write(bytes);
  }
  if (name === null) throw badForm("Expected a file in the field `file`, but got none");
  return name;
}

/** Until it ends, an upload holds what has come of it, at most the part that is being filled. */
async function* limitBytes(
  body: AsyncIterable<Uint8Array> | Uint8Array[],
  maxBytes: number,
  { hold, refreshIdleTimer }: Peer,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    refreshIdleTimer?.();
    const before = Math.min(size, PART_BYTES);
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (hold?.(Math.min(size, PART_BYTES) - before) === false) throw tooBusy();
    yield chunk;
  }
}
