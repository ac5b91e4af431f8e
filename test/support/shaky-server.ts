type Spoil = (path: string, method: string) => Response | undefined | Promise<Response | undefined>;

/** An address that stays the same while what answers there breaks, slows down or is deployed anew. */
export interface ShakyServer extends AsyncDisposable {
  /** Under a host name of its own, so that tests share no cookie. */
  url: string;
  /** Where every request goes on to; a deploy is a new value. */
  upstream: string;
  /** What it returns is answered instead. */
  spoil: Spoil;
  /** Every request so far; those that load a document say so. */
  asked: { path: string; method: string; document: boolean }[];
}

export function openShakyServer(upstream: string): ShakyServer {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 30,
    development: false,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const document = request.headers.get("sec-fetch-dest") === "document";
      shaky.asked.push({ path: pathname, method: request.method, document });
      return (
        (await shaky.spoil(pathname, request.method)) ??
        passOn(request, shaky.upstream + pathname + search)
      );
    },
  });
  const { port } = server;
  const shaky: ShakyServer = {
    url: `http://t${port}.localhost:${port}`,
    upstream,
    spoil: () => undefined,
    asked: [],
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return shaky;
}

export async function passOn(request: Request, url: string): Promise<Response> {
  const { status, headers, body } = await fetch(url, {
    method: request.method,
    headers: request.headers,
    body: request.body && (await request.bytes()),
    redirect: "manual",
    decompress: false,
    proxy: false,
  });
  return new Response(body, { status, headers });
}

/** True once React has the page: before, a click on a link is the browser's own. */
export const TAKEN_OVER = "history.scrollRestoration === 'manual'";
