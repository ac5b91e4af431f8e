/** What to ask, and for how long. */
interface Load {
  port: number;
  /** One whole request as it goes on the wire. */
  request: string;
  /** Kept-alive connections, each of which asks again as soon as it has its answer. */
  connections: number;
  /** Seconds before the measurement begins. */
  warmUp: number;
  /** Seconds of measurement. */
  seconds: number;
}

/** What came of it. */
export interface LoadResult {
  requests: number;
  /** Requests of the whole run, the warm-up among them. */
  total: number;
  seconds: number;
  /** The 99th percentile, in microseconds. */
  p99: number;
}

/** Latencies that are kept; those of later requests are only counted. */
const KEPT = 2_000_000;

const OK = "HTTP/1.1 200 ";

/**
 * Asks as fast as the server answers. All answers to one request have as many bytes as the first.
 *
 * @throws {Error} When a connection fails or an answer is no 200.
 */
async function generateLoad(load: Load): Promise<LoadResult> {
  const request = Buffer.from(load.request, "latin1");
  const { byteLength: size } = await readAnswer(load.port, request);
  const latencies = new Float64Array(KEPT);
  const sockets: Bun.Socket[] = [];
  const failed = Promise.withResolvers<never>();
  let requests = 0;
  let total = 0;
  let measuring = false;
  let ending = false;

  const connect = () => {
    let asked = 0;
    let missing = size;
    let unsent: Buffer | null = null;
    const send = (socket: Bun.Socket, bytes: Buffer) => {
      const written = socket.write(bytes);
      unsent = written < bytes.length ? bytes.subarray(written) : null;
    };
    const ask = (socket: Bun.Socket) => {
      asked = performance.now();
      send(socket, request);
    };
    return Bun.connect({
      hostname: "127.0.0.1",
      port: load.port,
      socket: {
        open: ask,
        drain: (socket) => void (unsent && send(socket, unsent)),
        data(socket, data) {
          if (missing === size && data.toString("latin1", 0, OK.length) !== OK) {
            failed.reject(new Error(`Expected 200, got ${data}`));
          }
          missing -= data.length;
          if (missing > 0) return;
          missing += size;
          total++;
          if (measuring) {
            if (requests < KEPT) latencies[requests] = performance.now() - asked;
            requests++;
          }
          ask(socket);
        },
        error: (_, error) => failed.reject(error),
        close: () => void (ending || failed.reject(new Error("The server hung up."))),
      },
    });
  };

  const run = async (): Promise<LoadResult> => {
    for (let at = 0; at < load.connections; at++) sockets.push(await connect());
    await Bun.sleep(load.warmUp * 1000);
    const began = performance.now();
    measuring = true;
    await Bun.sleep(load.seconds * 1000);
    measuring = false;
    const seconds = (performance.now() - began) / 1000;
    const sorted = latencies.subarray(0, Math.min(requests, KEPT)).toSorted();
    const p99 = (sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 1000;
    return { requests, total, seconds, p99 };
  };
  try {
    return await Promise.race([run(), failed.promise]);
  } finally {
    ending = true;
    for (const socket of sockets) socket.terminate();
  }
}

/** One whole answer: what comes until nothing has come for a while. */
async function readAnswer(port: number, request: Buffer): Promise<Buffer> {
  const received: Buffer[] = [];
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: { data: (_, data) => void received.push(Buffer.from(data)) },
  });
  socket.write(request);
  for (let before = -1; before !== received.length || before === 0; await Bun.sleep(200)) {
    before = received.length;
  }
  socket.terminate();
  return Buffer.concat(received);
}

// As a process of its own: the load on one line of its input, the result on one of its output.
if (import.meta.main) {
  for await (const line of console)
    console.log(JSON.stringify(await generateLoad(JSON.parse(line))));
}
