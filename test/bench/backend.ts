/**
 * The backend that the proxies ask, as a process of its own: it prints its port. Its answer is
 * prepared, so that it is never what is measured.
 */

/** JSON of exactly one kilobyte. */
export const KILOBYTE_OF_JSON = JSON.stringify({ text: "x".repeat(1013) });

if (import.meta.main) {
  const headers = { "Content-Type": "application/json" };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    idleTimeout: 120,
    routes: { "/api/json": new Response(KILOBYTE_OF_JSON, { headers }) },
  });
  console.log(server.port);
}
