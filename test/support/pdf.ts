import { inflateSync } from "node:zlib";

/** A PDF as it is written, then each of its streams, unpacked. */
export function textsInPdf(pdf: Uint8Array): string[] {
  const text = Buffer.from(pdf).toString("latin1");
  const streams = [...text.matchAll(/stream\r?\n([^]*?)endstream/g)].map(([, stream = ""]) => {
    try {
      return inflateSync(Buffer.from(stream, "latin1")).toString("latin1");
    } catch {
      return stream;
    }
  });
  return [text, ...streams];
}
