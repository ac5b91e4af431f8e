import { expect, test } from "bun:test";
import { join } from "node:path";

test.skipIf(process.env["TEST_EXECUTABLE"] === undefined)(
  "the soak finds nothing wrong in a few seconds, and says what it did",
  async () => {
    const command = [process.execPath, join(import.meta.dir, "soak.ts"), "0.1", "sqlite"];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
    const said = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    expect(said).toEqual([expect.stringMatching(/\n\d+ reckonings, \d+ kills, /), "", 0]);
  },
  300_000,
);
