import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ApiClient } from "../../../support/api-client.ts";
import { type BackendServer, startBackend } from "../../../support/backend-server.ts";
import { HOSTILE_FILES } from "../../../support/hostile-files.ts";
import { uploadFile } from "../../../support/import-client.ts";

/** The parser of state b5422c7 took 31 s for the first file, and answered nobody meanwhile. */
const MAX_STALL_MS = 5000;

/** Milliseconds of the processor that this thread has had: a busy machine takes none of them. */
function readThreadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

describe("POST /api/imports: files made to be slow", () => {
  let server: BackendServer;
  let client: ApiClient;
  beforeAll(async () => {
    server = await startBackend({ maxUploadBytes: 40_000_000 });
    client = await server.owner();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each(HOSTILE_FILES)("answers others while it reads %s", async (_, content) => {
    const json = { uploadId: await uploadFile(client, content()) };
    const reading = { isOver: false };
    const importing = client.post("/api/imports", json).finally(() => (reading.isOver = true));
    let stall = 0;
    while (!reading.isOver) {
      const begun = readThreadTime();
      expect((await server.visitor().request("/api/token")).status).toBe(200);
      stall = Math.max(stall, readThreadTime() - begun);
      await Bun.sleep(20);
    }
    expect([201, 422]).toContain((await importing).status);
    expect(stall).toBeLessThan(MAX_STALL_MS);
  });
});
