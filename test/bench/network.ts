// Full-size measurements of what the suite proves on a smaller scale. Run by hand, on an otherwise
// quiet machine: `bun run bench:network`. It takes about two minutes and prints a table.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createApiClient } from "../support/api-client.ts";
import { residentMemory } from "../support/resident-memory.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { reply, startUpstream } from "../support/upstream.ts";

const MEGABYTE = 1_048_576;
const SLOW_SECONDS = 90;
const ASK = "GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n";

/** Opens a connection and sends bytes; errors are what is being looked for, and end it. */
function open(url: string, bytes: string): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  if (bytes) socket.write(bytes);
  return socket;
}

const say = (what: string, figure: string, target: string) =>
  console.log(`| ${what} | ${figure} | ${target} |`);
const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
const closedAfter = (socket: Socket, began: number) =>
  new Promise<number>((resolve) => {
    socket.on("close", () => resolve((performance.now() - began) / 1000));
  });

/** @param first What is asked, and answered, before. */
async function dripHeaders({ url }: ServerProcess, what: string, first: string) {
  const sockets = Array.from({ length: 500 }, () => open(url, first));
  if (first) await Promise.all(sockets.map((socket) => once(socket, "data")));
  const began = performance.now();
  for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: a\r\nX-A: ");
  const drip = setInterval(() => sockets.forEach((socket) => socket.write("a")), 1000);
  const seconds = await Promise.all(sockets.map((socket) => closedAfter(socket, began)));
  clearInterval(drip);
  say(
    `500 connections that drip ${what}: the last is gone`,
    `${Math.max(...seconds).toFixed(1)} s`,
    "≤ 20 s",
  );
}

async function answerBesideIdle({ url, pid }: ServerProcess) {
  await fetch(`${url}/home`);
  // The site is still being compressed.
  await Bun.sleep(5000);
  const before = residentMemory(pid);
  const sockets: Socket[] = [];
  for (let batch = 0; batch < 100; batch++) {
    const opened = Array.from({ length: 100 }, () => open(url, ASK));
    await Promise.all(opened.map((socket) => once(socket, "data")));
    sockets.push(...opened);
  }
  const times: number[] = [];
  for (let count = 0; count < 500; count++) {
    const began = performance.now();
    await (await fetch(`${url}/robots.txt`)).text();
    times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  say("10,000 idle connections cost", megabytes(residentMemory(pid) - before), "≤ 30 MB");
  say(
    "p99 of the others meanwhile",
    `${times[Math.floor(times.length * 0.99)]?.toFixed(1)} ms`,
    "≤ 50 ms",
  );
  for (const socket of sockets) socket.destroy();
}

async function uploadToBackend() {
  await using upstream = await startUpstream((socket) => socket.end(reply("all")));
  await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
  await uploadSlowly(server, "a proxied upload", "/api/x", []);
}

async function uploadToEmbedded() {
  await using server = await startServer({ LOG: "quiet" });
  const client = createApiClient(server.url);
  await client.setUp(server.setUpCode());
  await uploadSlowly(server, "an upload to the embedded backend", "/api/upload/post", [
    `Cookie: ${[...client.cookies].map((pair) => pair.join("=")).join("; ")}`,
    `X-XSRF-TOKEN: ${client.cookies.get("XSRF-TOKEN")}`,
  ]);
}

/** Sends a form with a file of 90 KB in 90 seconds. */
async function uploadSlowly({ url }: ServerProcess, what: string, path: string, more: string[]) {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
  const tail = "\r\n--b--\r\n";
  const length = head.length + SLOW_SECONDS * 1024 + tail.length;
  const lines = ["Host: a", "Connection: close", `Content-Length: ${length}`, ...more];
  lines.push("Content-Type: multipart/form-data; boundary=b");
  const socket = open(url, `POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${head}`);
  let answer = "";
  socket.on("data", (data) => (answer += data.toString()));
  const began = performance.now();
  const closed = closedAfter(socket, began);
  for (let second = 0; second < SLOW_SECONDS && !socket.destroyed; second++) {
    socket.write("x".repeat(1024));
    await Bun.sleep(1000);
  }
  socket.write(tail);
  const after = (await closed).toFixed(0);
  say(`${what} of 1 KB/s, after ${after} s`, answer.split("\r\n", 1)[0] || "cut", "complete");
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
    "≤ 15 s",
  );
}

async function dripAtAll() {
  await using server = await startServer({ LOG: "quiet" });
  await dripHeaders(server, "their first head", "");
  await dripHeaders(server, "a later head", ASK);
}

console.log("|  |  | target |\n| --- | ---: | ---: |");
await Promise.all([uploadToBackend(), uploadToEmbedded(), dripAtAll()]);
await runOutOfDescriptors();
await using idle = await startServer({ LOG: "quiet" });
await answerBesideIdle(idle);
