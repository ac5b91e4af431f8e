/**
 * The plainest proxy on Bun, as a process of its own that prints its port: `Bun.serve` and `fetch`, no
 * rules, no timeouts, no headers of its own.
 */
const [target = ""] = process.argv.slice(2);

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch(request) {
    const { method, headers, body } = request;
    const { pathname, search } = new URL(request.url);
    const url = target + pathname + search;
    return fetch(url, { method, headers, body, redirect: "manual", decompress: false });
  },
});
console.log(server.port);
