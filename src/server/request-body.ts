import { SMALL_BODY } from "./upstream-body.ts";

/** Bun hands a repeated header over as a list; two lengths, equal or not, are an attempt to confuse. */
export function hasOneLength(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length === null || /^\d+$/.test(length);
}

/** Whether a body may take its time to come: it is long, or nobody knows how long. */
export function isSlow(headers: Headers): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length")) > SMALL_BODY;
}
