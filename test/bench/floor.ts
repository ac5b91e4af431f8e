/**
 * What Bun alone can do, as a process of its own that prints its port: the least that any server or
 * proxy on it has to do, and nothing of what one is for. What it does not reach, nothing on Bun does.
 *
 * - `answer <file>` writes the bytes of a file whatever is sent to it, without reading that.
 * - `relay <port>` asks a backend on a port what it was told to ask at first, whoever asks for what, and
 *   passes on whatever follows the head of the answer.
 */

const HEAD_END = Buffer.from("\r\n\r\n");

function answer(bytes: Buffer): number {
  const hostname = "127.0.0.1";
  return Bun.listen({ hostname, port: 0, socket: { data: (socket) => void socket.write(bytes) } })
    .port;
}

interface Waiting {
  resolve: (content: Buffer) => void;
}

function relay(backendPort: number): number {
  const idle: Bun.Socket<Waiting>[] = [];
  const connect = () =>
    Bun.connect<Waiting>({
      hostname: "127.0.0.1",
      port: backendPort,
      data: { resolve: () => undefined },
      socket: {
        data(socket, bytes) {
          idle.push(socket);
          socket.data.resolve(bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length));
        },
      },
    });
  const ask = async (request: string) => {
    const socket = idle.pop() ?? (await connect());
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    socket.data = { resolve };
    socket.write(request);
    return promise;
  };
  const headers = new Headers({ "Content-Type": "application/json" });
  const get = "GET /api/json HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const post = (content: string) =>
    `POST /api/json HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${content.length}\r\n\r\n${content}`;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    async fetch(request) {
      const question = request.method === "GET" ? get : post(await request.text());
      return new Response(new Uint8Array(await ask(question)), { headers });
    },
  });
  return Number(server.port);
}

const [task, argument = ""] = process.argv.slice(2);
console.log(
  task === "answer"
    ? answer(Buffer.from(await Bun.file(argument).bytes()))
    : relay(Number(argument)),
);
