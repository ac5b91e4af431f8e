// Full-size measurements of what the suite proves on a smaller scale. Run by hand, on an otherwise
// quiet machine: `bun test/bench/network.ts`. It takes about two minutes and prints one line for each.
import { connect, type Socket } from "node:net";
import { residentMemory } from "../support/resident-memory.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { reply, startUpstream } from "../support/upstream.ts";

const MEGABYTE = 1_048_576;

/** Opens a connection and sends bytes; errors are what is being looked for, and end it. */
function open(url: string, bytes: string): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  if (bytes) socket.write(bytes);
  return socket;
}

const say = (what: string, figure: string) => console.log(`${what.padEnd(58)} ${figure}`);
const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
const closedAfter = (socket: Socket, began: number) =>
  new Promise<number>((resolve) => {
    socket.on("close", () => resolve((performance.now() - began) / 1000));
  });

async function dripHeaders({ url }: ServerProcess) {
  const began = performance.now();
  const sockets = Array.from({ length: 500 }, () =>
    open(url, "GET / HTTP/1.1\r\nHost: a\r\nX-A: "),
  );
  const drip = setInterval(() => sockets.forEach((socket) => socket.write("a")), 1000);
  const seconds = await Promise.all(sockets.map((socket) => closedAfter(socket, began)));
  clearInterval(drip);
  say(
    "500 connections that drip their headers: the last is gone",
    `${Math.max(...seconds).toFixed(1)} s`,
  );
}

async function answerBesideIdle({ url, pid }: ServerProcess) {
  await fetch(`${url}/home`);
  // The site is still being compressed.
  await Bun.sleep(5000);
  const before = residentMemory(pid);
  const sockets: Socket[] = [];
  for (let batch = 0; batch < 100; batch++) {
    for (let each = 0; each < 100; each++) sockets.push(open(url, ""));
    await Bun.sleep(10);
  }
  const times: number[] = [];
  for (let count = 0; count < 500; count++) {
    const began = performance.now();
    await (await fetch(`${url}/robots.txt`)).text();
    times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  say("10,000 idle connections cost", megabytes(residentMemory(pid) - before));
  say("p99 of the others meanwhile", `${times[Math.floor(times.length * 0.99)]?.toFixed(1)} ms`);
  for (const socket of sockets) socket.destroy();
}

async function uploadSlowly() {
  await using upstream = await startUpstream((socket) => socket.end(reply("all")));
  await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
  const socket = open(
    server.url,
    `POST /api/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${90 * 1024}\r\n\r\n`,
  );
  let answer = "";
  socket.on("data", (data) => (answer += data.toString()));
  const began = performance.now();
  const closed = closedAfter(socket, began);
  for (let second = 0; second < 90 && !socket.destroyed; second++) {
    socket.write("x".repeat(1024));
    await Bun.sleep(1000);
  }
  say(
    `an upload of 1 KB/s, after ${(await closed).toFixed(0)} s`,
    answer.split("\r\n", 1)[0] ?? "cut",
  );
}

async function runOutOfDescriptors() {
  await using server = await startServer({ LOG: "quiet" });
  const { exited } = Bun.spawn(["prlimit", "--pid", String(server.pid), "--nofile=256:256"]);
  await exited;
  const sockets = Array.from({ length: 600 }, () => open(server.url, ""));
  await Bun.sleep(2000);
  for (const socket of sockets) socket.destroy();
  const began = performance.now();
  for (;;) {
    const signal = AbortSignal.timeout(1000);
    const answer = await fetch(`${server.url}/healthz`, { signal }).catch(() => null);
    if (answer?.ok) break;
  }
  say(
    "answers again after it ran out of descriptors",
    `${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
}

await Promise.all([
  uploadSlowly(),
  (async () => {
    await using server = await startServer({ LOG: "quiet" });
    await dripHeaders(server);
  })(),
]);
await runOutOfDescriptors();
await using idle = await startServer({ LOG: "quiet" });
await answerBesideIdle(idle);
