import { log } from "../shared/log.ts";

interface Resources {
  server: { stop(closeActiveConnections?: boolean): Promise<void> };
  /** WebSockets and event streams, which would never end by themselves. */
  openConnections: { closeAll(): void };
  api: { close(): Promise<void> };
}

/** What requests in flight are given to finish. */
const DEADLINE_MS = 8000;

/** How long idle connections stay open, for requests that were sent before the client could know. */
const LINGER_MS = 50;

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Shuts down on SIGINT and SIGTERM: accepts no more connections, finishes the requests in flight, closes
 * the backend and exits with 0. A second signal exits at once, with the code that a shell would report.
 *
 * An unhandled rejection is logged, and the process goes on: nothing is left half done. An uncaught
 * exception may leave something half done, so the process shuts down with exit code 1, for its
 * supervisor to start it anew.
 */
export function shutDownGracefully({ server, openConnections, api }: Resources) {
  let stopping = false;
  const shutDown = async (exitCode: number) => {
    stopping = true;
    await Bun.sleep(LINGER_MS);
    const stopped = server.stop();
    openConnections.closeAll();
    await Promise.race([stopped, Bun.sleep(DEADLINE_MS)]);
    await server.stop(true);
    await api.close();
    process.exit(exitCode);
  };
  const onFailure = (error: unknown) => {
    log.error("The server did not stop cleanly", error);
    process.exit(1);
  };
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (stopping) process.exit(128 + number);
      void shutDown(0).catch(onFailure);
    });
  }
  process.on("unhandledRejection", (reason) => log.error("Unhandled rejection", reason));
  process.on("uncaughtException", (thrown) => {
    log.error("Uncaught exception", thrown);
    if (!stopping) void shutDown(1).catch(onFailure);
  });
}
