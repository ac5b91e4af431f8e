/** An option cannot be used; `message` is one line that names its variable. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}

/** Reads an option that a variable sets. @throws {OptionError} Where `read` throws. */
export function readOption<T>(variable: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new OptionError(`${variable}: ${why}`, { cause: error });
  }
}
