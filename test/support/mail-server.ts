import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { selfSigned } from "./certificate.ts";

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** What a server answers to the final dot: nothing, by closing the connection, or with this code. */
type DotReply = "drop" | "silence" | number;

/** A real SMTP server on the loopback, with STARTTLS, that keeps what it receives. */
export async function startMailServer(
  options: SMTPServerOptions & { atDot?: (tries: number) => DotReply } = {},
) {
  const { atDot = () => 250, ...others } = options;
  const certificate = selfSigned("localhost");
  /** Every message that came with its final dot, whole, with the connection that it came on. */
  const received: { raw: string; secure: boolean; user: string | undefined }[] = [];
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString();
        received.push({ raw, secure: session.secure, user: session.user });
        const reply = atDot(received.length);
        if (reply === 250) done(null, "queued");
        else if (typeof reply === "number") {
          done(Object.assign(new Error("no, thank you"), { responseCode: reply }));
        } else if (reply === "drop") server.server.emit("drop");
        else return;
      });
    },
    ...others,
  });
  // Of clients that hang up.
  server.on("error", () => undefined);
  const sockets = new Set<{ destroy(): void }>();
  server.server.on("connection", (socket) => sockets.add(socket));
  server.server.on("drop", () => sockets.forEach((socket) => socket.destroy()));
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => {
      const address = listener.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  return {
    port,
    /** For `localhost`, and its own authority. */
    cert: certificate.cert,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}
