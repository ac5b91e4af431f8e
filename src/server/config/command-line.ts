import { VARIABLES } from "./variables.ts";

/** What the program is asked to do. */
export type Command = "serve" | "help" | "version";

/** An argument is not known; the message says which, and what there is instead. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

const COMMANDS: Record<string, Command> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

/**
 * Reads the arguments behind the program's name; the first one counts. Settings are variables of the
 * environment, never arguments.
 *
 * @throws {CommandLineError} Naming the arguments that are not known.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const unknown = args.filter((argument) => !Object.hasOwn(COMMANDS, argument));
  if (unknown.length > 0) {
    const named = unknown.map((argument) => JSON.stringify(argument)).join(", ");
    throw new CommandLineError(
      `Expected no argument, --help or --version, got ${named}. Settings are environment variables: see --help.`,
    );
  }
  const [first = ""] = args;
  return COMMANDS[first] ?? "serve";
}

/** The text of `--help`: every variable with its default. */
export function describeUsage(program: string): string {
  const names = Object.keys(VARIABLES);
  const width = Math.max(...names.map((name) => name.length));
  const variables = Object.entries(VARIABLES).map(([name, { fallback, meaning }]) => {
    const note = fallback === null ? "" : ` [${fallback}]`;
    return `  ${name.padEnd(width)}  ${meaning}${note}`;
  });
  return [
    `${program}: a self-hosted register of domain names`,
    "",
    "Usage:",
    `  ${program}            serves until SIGTERM or SIGINT`,
    `  ${program} --help     shows this`,
    `  ${program} --version  shows the version`,
    "",
    "Environment, with the default in brackets:",
    ...variables,
    "",
    "Exit codes: 0 stopped as asked, 1 could not start.",
  ].join("\n");
}
