import { number, object, text, type Parsed } from "./parse.ts";

/** `POST /api/upload/post`: what was stored; `sha256` is lower-case hexadecimal. */
export type Upload = Parsed<typeof parseUpload>;

export const parseUpload = object({ uploadId: text, name: text, bytes: number, sha256: text });
