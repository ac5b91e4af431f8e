import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { createUploadFiles } from "../../../src/backend/uploads/upload-files.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe("UploadFiles.sweep", () => {
  test("does no harm when several instances sweep one folder at once", async () => {
    using folder = createTemporaryFolder();
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    for (let index = 0; index < 50; index += 1) {
      const path = join(folder.path, Bun.randomUUIDv7());
      writeFileSync(path, "x");
      utimesSync(path, longAgo, longAgo);
    }
    const sweep = () => createUploadFiles(folder.path).sweep(async () => false);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
