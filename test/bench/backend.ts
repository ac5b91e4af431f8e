/**
 * The backend that the proxies ask, as a process of its own: it prints its port. Small answers are
 * prepared, so that it is never what is measured.
 */

const MEGABYTE = 1_048_576;

/** JSON of exactly one kilobyte. */
export const KILOBYTE_OF_JSON = JSON.stringify({ text: "x".repeat(1013) });

const json = (body: string) =>
  new Response(body, { headers: { "Content-Type": "application/json" } });

/** As many megabytes as are asked for, with their length, from one copy in memory. */
function createDownloads(most: number): (count: number) => Response {
  const blob = new Blob([new Uint8Array(most * MEGABYTE).fill(120)]);
  const headers = { "Content-Type": "application/octet-stream" };
  return (count) => new Response(blob.slice(0, count * MEGABYTE), { headers });
}

async function countBytes(request: Request): Promise<Response> {
  let bytes = 0;
  for await (const chunk of request.body ?? []) bytes += chunk.length;
  return Response.json({ bytes });
}

if (import.meta.main) {
  const download = createDownloads(300);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    idleTimeout: 120,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: {
      "/api/json": json(KILOBYTE_OF_JSON),
      "/api/megabytes/:count": ({ params }) => download(Number(params.count)),
      "/api/upload": { POST: countBytes },
    },
  });
  console.log(server.port);
}
