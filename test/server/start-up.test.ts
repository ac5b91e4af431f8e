import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startServer } from "../support/server-process.ts";

/** What the process itself was started with, as the system knows it. */
const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");

describe("raiseRequestLimit", () => {
  test.skipIf(process.platform !== "linux")(
    "restarts under the same pid, and not where the limit is set or nothing is proxied",
    async () => {
      await using raised = await startServer({ BACKEND_URL: "http://127.0.0.1:9" });
      expect(environmentOf(raised.pid)).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=65535");
      expect(await raised.stop()).toBe(0);
      const own = { BACKEND_URL: "http://127.0.0.1:9", BUN_CONFIG_MAX_HTTP_REQUESTS: "99" };
      await using chosen = await startServer(own);
      expect(environmentOf(chosen.pid)).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=99");
      await using embedded = await startServer();
      expect(environmentOf(embedded.pid).join()).not.toContain("MAX_HTTP_REQUESTS");
    },
  );
});
