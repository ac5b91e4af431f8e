/** The part of Bun's server that has to do with its end. */
interface Stoppable {
  stop(closeActiveConnections?: boolean): Promise<void>;
}

interface Closable {
  close(): Promise<void>;
}

interface Endable {
  endAll(): void;
}

/** Milliseconds that requests in flight are given. */
const DEADLINE = 8000;

/** Milliseconds in which idle connections stay open, for what was sent before anybody could know. */
const ON_THE_WAY = 50;

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Ends the process in order on SIGINT and SIGTERM: what is on its way still comes in, then no new
 * connection does, what would never end is ended, what is in flight is finished, the backend is
 * closed, exit code 0. A second signal ends it at once, with the code a shell would give.
 *
 * What goes wrong in the background is logged. A rejection that nobody handled leaves nothing half done,
 * so the process goes on; an exception may, so the process ends in the same order with exit code 1, for
 * whoever supervises it to start it anew.
 */
export function endInOrder(server: Stoppable, longLived: Endable, api: Closable) {
  let ending = false;
  const end = async (code: number) => {
    ending = true;
    await Bun.sleep(ON_THE_WAY);
    const stopped = server.stop();
    longLived.endAll();
    await Promise.race([stopped, Bun.sleep(DEADLINE)]);
    await server.stop(true);
    await api.close();
    process.exit(code);
  };
  const failed = (error: unknown) => {
    console.error(error);
    process.exit(1);
  };
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (ending) process.exit(128 + number);
      void end(0).catch(failed);
    });
  }
  process.on("unhandledRejection", (reason) => console.error("Nobody handled:", reason));
  process.on("uncaughtException", (thrown) => {
    console.error("Nobody caught:", thrown);
    if (!ending) void end(1).catch(failed);
  });
}
