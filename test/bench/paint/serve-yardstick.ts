import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const HTML = "text/html; charset=utf-8";

/** The yardstick as `Bun.build` makes it, split, behind a plain server: brotli, immutable assets. */
export async function serveYardstick() {
  const entry = join(import.meta.dir, "yardstick.tsx");
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    splitting: true,
    minify: true,
    publicPath: "/",
    naming: "assets/[name]-[hash].[ext]",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const bodies = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const output of outputs) {
    const bytes = new Uint8Array(await output.arrayBuffer());
    bodies.set(output.path.replace(/^\.?\/?/, "/"), new Uint8Array(brotliCompressSync(bytes)));
  }
  const script = [...bodies.keys()].find((path) => path.includes("/yardstick-")) ?? "";
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Yardstick</title></head><body><script type="module" src="${script}"></script></body></html>`;
  return (path: string) => {
    const body = bodies.get(path);
    if (!body) return new Response(page, { headers: { "Content-Type": HTML } });
    const headers = {
      "Content-Type": "text/javascript",
      "Content-Encoding": "br",
      "Cache-Control": "public, max-age=31536000, immutable",
    };
    return new Response(body, { headers });
  };
}
