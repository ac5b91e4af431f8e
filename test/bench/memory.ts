import { connect, type Socket } from "node:net";
import type { Contender } from "./throughput.ts";
import { forgetPeak, readMemory, readPeak } from "./process-cost.ts";

const MEGABYTE = 1_048_576;

/** Milliseconds that a client takes no byte. */
const STUCK = 3000;

/** Megabytes that a server held at most, beyond what it held before, while something was done to it. */
export async function measureGrowth(
  { pid }: Contender,
  work: () => Promise<void>,
): Promise<number> {
  const idle = await readMemory(pid);
  await forgetPeak(pid);
  await work();
  return (await readPeak(pid)) - idle;
}

/** Sends megabytes through the proxy, with their length or in chunks, and waits for the answer. */
export async function upload({ port }: Contender, megabytes: number, chunked: boolean) {
  const chunk = Buffer.alloc(MEGABYTE, 120);
  const framed = Buffer.concat([Buffer.from("100000\r\n"), chunk, Buffer.from("\r\n")]);
  const framing = chunked
    ? "Transfer-Encoding: chunked"
    : `Content-Length: ${megabytes * MEGABYTE}`;
  const socket = await open(port);
  const answered = firstBytes(socket);
  await write(socket, `POST /api/upload HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`);
  for (let sent = 0; sent < megabytes; sent++) await write(socket, chunked ? framed : chunk);
  if (chunked) await write(socket, "0\r\n\r\n");
  const answer = await answered;
  socket.destroy();
  if (!answer.includes(" 200 ")) throw new Error(`Expected 200, got ${answer}`);
}

/** Asks for something on many connections and takes no more than the first bytes of it. */
export async function getStuck({ port }: Contender, path: string, connections: number) {
  const sockets: Socket[] = [];
  for (let at = 0; at < connections; at++) {
    const socket = await open(port);
    sockets.push(socket);
    const answer = firstBytes(socket).finally(() => socket.pause());
    await write(socket, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    if (!(await answer).includes(" 200 ")) throw new Error(`Expected 200 for ${path}.`);
  }
  await Bun.sleep(STUCK);
  for (const socket of sockets) socket.destroy();
}

function open(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(port, "127.0.0.1", () => resolve(socket));
  socket.on("error", reject);
  return promise;
}

function write(socket: Socket, bytes: string | Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  return promise;
}

function firstBytes(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.once("data", (data) => resolve(data.toString("latin1")));
  socket.once("close", () => reject(new Error("The server hung up.")));
  return promise;
}
