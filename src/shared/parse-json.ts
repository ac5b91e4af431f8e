/** Reads a JSON object. @throws {TypeError} for anything else. */
export function parseRecord(json: unknown): Record<string, unknown> {
  if (isRecord(json)) return json;
  throw new TypeError("Expected a JSON object.");
}

/** Reads a JSON array whose every item `parse` accepts. @throws {TypeError} for anything else. */
export function parseList<T>(json: unknown, parse: (item: unknown) => T): T[] {
  if (Array.isArray(json)) return json.map(parse);
  throw new TypeError("Expected a JSON array.");
}

/** The text that is there, or null. */
export function textOrNull(json: unknown): string | null {
  return typeof json === "string" ? json : null;
}

function isRecord(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
