import { VARIABLES } from "./variables.ts";

/** What the program is asked to do. */
export type Command = "serve" | "help" | "version";

/** The arguments cannot be used; the message says which, and what there is instead. */
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
 * Reads the arguments behind the program's name. Everything that can be set is a variable of the
 * environment, so that there is nothing to take but the two questions; the first one counts.
 *
 * @throws {CommandLineError} Naming the arguments that nothing is known of.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const unknown = args.filter((argument) => !Object.hasOwn(COMMANDS, argument));
  if (unknown.length > 0) {
    const named = unknown.map((argument) => JSON.stringify(argument)).join(", ");
    throw new CommandLineError(
      `Expected no argument, --help or --version, got ${named}. What can be set is a variable: see --help.`,
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
    `  ${program}            starts to serve, until SIGTERM or SIGINT`,
    `  ${program} --help     shows this`,
    `  ${program} --version  shows the version`,
    "",
    "Environment, with the default in brackets:",
    ...variables,
    "",
    "Exit codes: 0 ended as asked, 1 could not start.",
  ].join("\n");
}
