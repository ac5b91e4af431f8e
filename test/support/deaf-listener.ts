import { connect, createServer, type Socket } from "node:net";

/** A port where nobody takes connections, and as many wait for that as the system lets. */
export interface DeafListener extends AsyncDisposable {
  url: string;
}

/** How long a connection over the loopback may take, in milliseconds, before nobody will take it. */
const PATIENCE = 200;

/** Listens in a process that is stopped, and fills the queue of what waits to be taken. */
export async function startDeafListener(): Promise<DeafListener> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  child.kill("SIGSTOP");
  const sockets: Socket[] = [];
  do {
    for (let count = 0; count < 300; count++)
      sockets.push(connect(port, "127.0.0.1").on("error", () => undefined));
    await Bun.sleep(PATIENCE);
  } while (!sockets.some(({ connecting }) => connecting));
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

if (import.meta.main) {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (address !== null && typeof address === "object") console.log(address.port);
  });
}
