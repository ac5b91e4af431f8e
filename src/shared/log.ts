let isJson = false;

export function setLogFormat(format: "text" | "json") {
  isJson = format === "json";
}

/** A fault that only the operator can fix. `message` is one line that says how, logged without a stack. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** The code that Node, Bun or SQLite gives an error; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** One line of JSON, with the time now. */
export function formatEntry(entry: object): string {
  return JSON.stringify({ time: new Date().toISOString(), ...entry });
}

function complain(level: "warn" | "error", message: string, error?: unknown) {
  const behind = typeof error === "object" ? Bun.inspect(error) : error;
  if (isJson) console[level](formatEntry({ level, message, error: behind }));
  else if (error === undefined) console[level](message);
  // A path may have what `console` takes for a format: `%c3%a9` would swallow the error.
  else console[level](`${message.replaceAll("%", "%%")}:`, error);
}

/** Writes faults to the standard error, with their stack, and information to the output. */
export const log = {
  info(...messages: string[]) {
    const lines = messages.map((each) =>
      isJson ? formatEntry({ level: "info", message: each }) : each,
    );
    console.log(lines.join("\n"));
  },
  warn: (message: string) => complain("warn", message),
  error: (message: string, error?: unknown) => complain("error", message, error),
};
