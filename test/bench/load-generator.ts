import { ResponseCounter } from "./response-counter.ts";

/** What to ask, and for how long. */
export interface Load {
  port: number;
  /** One whole request as it goes on the wire. */
  request: string;
  /** Kept-alive connections, each of which asks again as soon as it has its answer. */
  connections: number;
  /**
   * Requests a second, at even distances, over all connections; they ask as often as they can without
   * it. A latency is counted from when its request was due, so that none is left out by waiting.
   */
  rate?: number;
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
  /** Microseconds. */
  p50: number;
  p99: number;
  /** Bytes of bodies. */
  bytes: number;
}

/** Latencies that are kept; those of later requests are only counted. */
const KEPT = 2_000_000;

/** Asks as fast as the server answers, or at a given rate. Rejects when a connection fails or an answer is no 200. */
export async function generateLoad(load: Load): Promise<LoadResult> {
  const request = Buffer.from(load.request, "latin1");
  const latencies = new Float64Array(KEPT);
  const counters: ResponseCounter[] = [];
  const sockets: Bun.Socket[] = [];
  const failed = Promise.withResolvers<never>();
  let requests = 0;
  let total = 0;
  let measuring = false;
  let ending = false;

  const pace = load.rate === undefined ? null : new Pace(load.rate);

  const connect = () => {
    const counter = new ResponseCounter();
    counters.push(counter);
    let due = 0;
    let unsent: Buffer | null = null;
    const send = (socket: Bun.Socket, bytes: Buffer) => {
      const written = socket.write(bytes);
      unsent = written < bytes.length ? bytes.subarray(written) : null;
    };
    const askNow = (socket: Bun.Socket, since: number) => {
      due = since;
      send(socket, request);
    };
    const ask = (socket: Bun.Socket) => {
      if (pace) pace.wait((since) => askNow(socket, since));
      else askNow(socket, performance.now());
    };
    return Bun.connect({
      hostname: "127.0.0.1",
      port: load.port,
      socket: {
        open: ask,
        drain: (socket) => void (unsent && send(socket, unsent)),
        data(socket, data) {
          try {
            if (counter.take(data) === 0) return;
          } catch (error) {
            failed.reject(error);
            return;
          }
          total++;
          if (measuring) {
            if (requests < KEPT) latencies[requests] = performance.now() - due;
            requests++;
          }
          ask(socket);
        },
        error: (_, error) => failed.reject(error),
        close: () => void (ending || failed.reject(new Error("The server hung up."))),
      },
    });
  };

  const bytesSoFar = () => counters.reduce((sum, { bytes }) => sum + bytes, 0);
  const run = async (): Promise<LoadResult> => {
    for (let at = 0; at < load.connections; at++) sockets.push(await connect());
    await Bun.sleep(load.warmUp * 1000);
    const before = bytesSoFar();
    const began = performance.now();
    measuring = true;
    await Bun.sleep(load.seconds * 1000);
    measuring = false;
    const seconds = (performance.now() - began) / 1000;
    const sorted = latencies.subarray(0, Math.min(requests, KEPT)).toSorted();
    const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0) * 1000;
    return { requests, total, seconds, p50: at(0.5), p99: at(0.99), bytes: bytesSoFar() - before };
  };
  try {
    return await Promise.race([run(), failed.promise]);
  } finally {
    ending = true;
    pace?.stop();
    for (const socket of sockets) socket.terminate();
  }
}

/** Lets requests go at even distances. It never sleeps: a timer would let them go in heaps. */
class Pace {
  readonly #distance: number;
  /** The connections that have nothing to do, the one that waits longest first. */
  readonly #waiting: ((due: number) => void)[] = [];
  #due = performance.now();
  #stopped = false;

  constructor(rate: number) {
    this.#distance = 1000 / rate;
    this.#turn();
  }

  /** @param ask Called with when the request was due, once. */
  wait(ask: (due: number) => void) {
    this.#waiting.push(ask);
  }

  stop() {
    this.#stopped = true;
  }

  #turn() {
    if (this.#stopped) return;
    while (this.#due <= performance.now()) {
      const ask = this.#waiting.shift();
      if (!ask) break;
      ask(this.#due);
      this.#due += this.#distance;
    }
    setImmediate(() => this.#turn());
  }
}

// As a process of its own: the load on one line of its input, the result on one of its output.
if (import.meta.main) {
  for await (const line of console)
    console.log(JSON.stringify(await generateLoad(JSON.parse(line))));
}
