import type { Config } from "./config/config.ts";

/** The address cannot be listened on; the message says why, in one line. */
export class ListenError extends Error {
  override readonly name = "ListenError";

  /** @param cause What `Bun.serve` threw. */
  constructor(cause: unknown, { host, port }: Pick<Config, "host" | "port">) {
    super(explain(cause, host, port), { cause });
  }
}

function explain(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} of ${host} is in use. Set PORT to another one.`;
  if (code === "EACCES")
    return `This process may not listen on port ${port}. Set PORT to another one.`;
  return `HOST ${JSON.stringify(host)} is not an address of this machine.`;
}

/** Where a browser on this machine finds the site, without a slash at the end. */
export function localUrl({ host, tls, basePath }: Config, port: number): string {
  // A browser cannot go to the addresses that stand for all of a machine's.
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `${tls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}${basePath}`;
}
