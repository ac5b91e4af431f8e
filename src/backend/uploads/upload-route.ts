import type { Upload } from "../../shared/contract.ts";
import type { Database } from "../database/database.ts";
import { json } from "../http/answer.ts";
import { problem } from "../http/problem.ts";
import { boundaryOf, MultipartError } from "./multipart.ts";
import { receiveFile, TooLargeError } from "./receive-file.ts";
import type { UploadFiles } from "./upload-files.ts";
import { addUpload } from "./uploads.ts";

export interface UploadPlace {
  database: Database;
  files: UploadFiles;
  /** Bytes that a whole body may have. */
  maxBytes: number;
}

/**
 * `POST /api/upload/post`: streams the file of a form to disk. Nothing is left of what fails.
 *
 * @param refreshIdleTimer Called with each part that came.
 */
export async function storeUpload(
  place: UploadPlace,
  request: Request,
  userId: string,
  refreshIdleTimer?: () => void,
): Promise<Response> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    return problem(415, `Expected multipart/form-data, but got ${type.slice(0, 100) || "no type"}`);
  }
  const boundary = boundaryOf(type);
  if (boundary === null) return problem(400, "Expected a boundary of 1 to 70 characters");
  if (Number(request.headers.get("content-length") ?? 0) > place.maxBytes) {
    await request.body?.cancel().catch(() => undefined);
    return tooLarge(place.maxBytes);
  }

  const id = Bun.randomUUIDv7();
  const file = await place.files.create(id);
  try {
    const body = request.body ?? emptyBody();
    const name = await receiveFile(body, {
      boundary,
      limit: place.maxBytes,
      file,
      refreshIdleTimer,
    });
    const stored = { id, userId, name, ...(await file.keep()) };
    await addUpload(place.database, stored);
    const { bytes, sha256 } = stored;
    const upload: Upload = { uploadId: id, name, bytes, sha256 };
    return json(upload, 201);
  } catch (error) {
    await file.discard();
    if (error instanceof MultipartError) return problem(400, error.message);
    if (error instanceof TooLargeError) return tooLarge(place.maxBytes);
    // Nobody reads this answer: the client is gone, and with it the rest of the body.
    if (request.signal.aborted) return problem(400, "The upload was broken off");
    throw error;
  }
}

function tooLarge(limit: number): Response {
  return problem(413, `Expected a body of at most ${limit} bytes, but got more`);
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
