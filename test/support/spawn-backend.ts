import { join } from "node:path";
import { createApiClient } from "./api-client.ts";

const SCRIPT = join(import.meta.dir, "serve-backend.ts");

/** The backend in a process of its own, until it is killed, and a visitor. `before` is what starts it. */
export async function spawnBackend(
  databaseUrl: string,
  {
    options = {},
    before = [],
    cwd,
    stderr = "inherit",
  }: { options?: object; before?: string[]; cwd?: string; stderr?: "inherit" | "ignore" } = {},
) {
  const command = [...before, process.execPath, SCRIPT, databaseUrl, JSON.stringify(options)];
  const child = Bun.spawn(command, { ...(cwd && { cwd }), stdout: "pipe", stderr });
  const { value } = await child.stdout.getReader().read();
  const port = new TextDecoder().decode(value).trim();
  return {
    child,
    client: createApiClient(`http://127.0.0.1:${port}`),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
