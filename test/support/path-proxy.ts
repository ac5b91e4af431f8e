import { passOn } from "./shaky-server.ts";

/** A server below a path of a proxy. */
interface Mounted {
  path: string;
  url: string;
  /** Whether the proxy takes the path off. */
  strips: boolean;
}

/** Starts a reverse proxy with servers below some of its paths: anything else is 404. */
export function startPathProxy(...mounted: Mounted[]) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      const found = mounted.find(
        ({ path }) => pathname === path || pathname.startsWith(`${path}/`),
      );
      if (!found) return new Response("Outside.", { status: 404 });
      const { path, url, strips } = found;
      const sent = strips ? pathname.slice(path.length) || "/" : pathname;
      return passOn(request, new URL(url).origin + sent + search);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
