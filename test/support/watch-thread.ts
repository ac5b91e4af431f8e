import { Database } from "bun:sqlite";

/*
 * Preloaded into a server, it tells on a port of its own how long the thread that answers was kept: the
 * most processor time between two of its timers since it was asked last. A timer of a millisecond runs
 * in every turn of the event loop that is longer. Processor time, as a busy machine takes the thread
 * away at any moment; a yardstick is measured in the same way.
 */

/** Milliseconds of processor time that this thread has had. */
function readThreadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What takes SQLite 20 ms on the machine that the budget of a turn was set on. */
const YARDSTICK =
  "with recursive n (i) as (select 1 union all select i + 1 from n where i < 120000) select sum(i) from n";

// Threads of a server load this too.
if (Bun.isMainThread) {
  let since = readThreadTime();
  let longest = 0;
  const endTurn = () => {
    const now = readThreadTime();
    longest = Math.max(longest, now - since);
    since = now;
  };
  setInterval(endTurn, 1).unref();
  const memory = new Database(":memory:");
  const watch = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      endTurn();
      const told = longest;
      if (url.endsWith("/yardstick")) {
        memory.query(YARDSTICK).get();
        const took = readThreadTime() - since;
        endTurn();
        longest = 0;
        return Response.json(took);
      }
      longest = 0;
      return Response.json(told);
    },
  });
  watch.unref();
  console.log(`Watched at ${watch.url}`);
}
