import type { FieldProblem } from "../../shared/contract.ts";
import { quotable, textFault } from "../http/fields.ts";

/** Untrusted parameters, read one by one, with every complaint kept. */
export interface ParameterReader {
  readonly problems: FieldProblem[];
  /**
   * What `parse` makes of a parameter; null where it is missing, empty or bad. It has at most `max`
   * characters, 1,000 unless given.
   */
  read<T>(name: string, what: string, parse: (text: string) => T | null, max?: number): T | null;
}

/**
 * Reads parameters. An empty value is as good as none. A parameter that is not `known` and one that
 * comes twice are complaints; `at` is the JSON Pointer before each name.
 */
export function readParameters(
  parameters: URLSearchParams,
  known: readonly string[],
  at = "",
): ParameterReader {
  const problems = [...new Set(parameters.keys())].flatMap((name) => {
    const pointer = `${at}/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!known.includes(name)) {
      const detail = `Unknown parameter; expected only ${known.join(", ")}`;
      return [{ pointer, code: "unknown", detail }];
    }
    const times = parameters.getAll(name).length;
    if (times === 1) return [];
    return [{ pointer, code: "repeated", detail: `Expected it once, but got it ${times} times` }];
  });

  return {
    problems,
    read(name, what, parse, max = 1000) {
      const text = parameters.get(name) ?? "";
      if (text === "") return null;
      const value = textFault(text, { max }) === null ? parse(text) : null;
      if (value === null) {
        const came = text.length > 60 ? `${text.slice(0, 59)}…` : text;
        const detail = `Expected ${what}, but got "${quotable(came)}"`;
        problems.push({ pointer: `${at}/${name}`, code: "value", detail });
      }
      return value;
    },
  };
}

/** A parser that takes one of the given words. */
export function oneOf<const T extends string>(words: readonly T[]): (text: string) => T | null {
  return (text) => words.find((word) => word === text) ?? null;
}
