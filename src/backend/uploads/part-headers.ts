/** What a part of a form says about itself (RFC 7578 §4.2): null for what it does not say. */
export interface PartHeaders {
  name: string | null;
  /** As it came, path and all; the empty string is a file field in which nothing was chosen. */
  filename: string | null;
  /** There is a name of a file, and nothing but one that cannot be read. */
  unreadable: boolean;
}

/** Reads the headers of one part, of which only Content-Disposition counts; lenient with the rest. */
export function parsePartHeaders(head: Uint8Array): PartHeaders {
  const lines = new TextDecoder().decode(head).split("\r\n");
  const disposition = lines.find((line) => /^content-disposition\s*:/i.test(line)) ?? "";
  const parameters = new Map<string, string>();
  const pattern = /;\s*(?<key>[\w*-]+)\s*=\s*(?:"(?<quoted>(?:\\.|[^"\\])*)"|(?<token>[^\s;"]*))/g;
  for (const { groups } of disposition.matchAll(pattern)) {
    const key = groups?.["key"]?.toLowerCase() ?? "";
    const quoted = groups?.["quoted"];
    const value = quoted === undefined ? (groups?.["token"] ?? "") : unquote(quoted);
    if (!parameters.has(key)) parameters.set(key, value);
  }
  const extended = decodeExtended(parameters.get("filename*"));
  const filename = extended ?? parameters.get("filename") ?? null;
  return {
    name: parameters.get("name") ?? null,
    filename,
    unreadable: filename === null && parameters.has("filename*"),
  };
}

/**
 * The name by which people know a file: its last path segment, without control characters, at most
 * 255 characters. For display only: nothing is ever stored under it.
 */
export function displayName(filename: string): string {
  const last = filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1);
  const clean = last.toWellFormed().normalize("NFC").replace(/\p{C}/gu, "").trim();
  const name = [...clean].slice(0, 255).join("");
  return /^\.*$/.test(name) ? "upload" : name;
}

/** Browsers write a quote as %22; others put a backslash before it, and before little else. */
function unquote(text: string): string {
  return text.replace(/\\(["\\])/g, "$1").replace(/%22/g, '"');
}

/** `filename*=UTF-8''…` (RFC 8187), which RFC 7578 forbids and some clients send. */
function decodeExtended(value: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? "")?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
