import { join } from "node:path";
import { createApiClient } from "../support/api-client.ts";

const SERVER = join(import.meta.dir, "..", "support", "serve-backend.ts");

/** Starts a backend over the database at `url` as a process of its own, which ends with its scope. */
export async function startBackend(url: string) {
  const child = Bun.spawn([process.execPath, SERVER, url], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  const port = new TextDecoder().decode(value).trim();
  return {
    client: createApiClient(`http://127.0.0.1:${port}`),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
