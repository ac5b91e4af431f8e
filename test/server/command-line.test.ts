import { describe, expect, test } from "bun:test";
import { describeUsage, parseCommandLine, VARIABLES } from "../../src/server/config/variables.ts";
import { OperatorError } from "../../src/shared/log.ts";

describe("parseCommandLine", () => {
  test.each([
    [[], "serve"],
    [["--help"], "help"],
    [["-h"], "help"],
    [["--version"], "version"],
    [["-v"], "version"],
    [["--version", "--help"], "version"],
    [["owner", "reset"], "owner reset"],
    [["doctor"], "doctor"],
    [["demo"], "demo"],
  ])("takes %j", (args, command) => {
    expect<string>(parseCommandLine(args).kind).toBe(command);
  });

  test("takes backup and restore with a file", () => {
    for (const kind of ["backup", "restore"] as const) {
      expect(parseCommandLine([kind, "a.tar"])).toEqual({ kind, file: "a.tar" });
      for (const args of [[kind], [kind, ""], [kind, "--help"], [kind, "a.tar", "b.tar"]]) {
        expect(() => parseCommandLine(args)).toThrow(`Expected one file: ${kind} FILE`);
      }
    }
  });

  test.each([[["--port=80"]], [["serve"]], [[""]], [["constructor"]], [["--help", "--tls"]]])(
    "refuses %j",
    (args) => {
      const strange = JSON.stringify(args.at(-1));
      expect(() => parseCommandLine(args)).toThrow(OperatorError);
      expect(() => parseCommandLine(args)).toThrow(`got ${strange}. Settings are`);
    },
  );
});

describe("describeUsage", () => {
  test("tells of every variable on a line of its own, with its default", () => {
    const lines = describeUsage().split("\n");
    for (const [name, [fallback, meaning]] of Object.entries(VARIABLES)) {
      const [line = "", ...others] = lines.filter((each) => each.startsWith(`  ${name} `));
      expect(others).toEqual([]);
      expect(line).toContain(meaning);
      if (fallback !== null) expect(line).toEndWith(` [${fallback}]`);
    }
  });

  test("fits a terminal of 120 columns", () => {
    for (const line of describeUsage().split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });
});
