import { createBackend, type BackendOptions } from "../../src/backend/backend.ts";

/**
 * A program that serves the backend over the database in `argv[2]` and prints its port, for tests that
 * end a process in ways that a test cannot end its own. `argv[3]` are other options as JSON.
 */
const options: Partial<BackendOptions> = JSON.parse(process.argv[3] ?? "{}");
const backend = await createBackend({
  databaseUrl: process.argv[2] ?? "",
  setupCode: "let me in",
  passwordCost: { memoryCost: 8, timeCost: 1 },
  maxUploadBytes: 100_000_000,
  ...options,
});
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 255,
  fetch: (request) =>
    backend.fetch(request, { address: "127.0.0.1", remoteAddress: "127.0.0.1", secure: false }),
});
console.log(server.port);
