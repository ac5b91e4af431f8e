import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { createApiClient } from "../../support/api-client.ts";
import { seedRegister } from "../../support/seed-register.ts";
import { passOn } from "../../support/shaky-server.ts";
import { startServer } from "../../support/server-process.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { median } from "../measure.ts";
import { measurePaint, openThrottled, type Paint } from "./measure-paint.ts";

const [rounds = "3", only = ""] = process.argv.slice(2);
const VISITS = ["cold", "warm"] as const;
/** Names in the register: more than the first page of the list holds. */
const NAMES = 300;

/**
 * What is clicked on which screens, once the session is known: the sign-in form, the same on all of
 * them, or a name of the register. The first of a path also tells its first paint and its heading.
 */
const CLICKS = {
  form: { selector: "main [type=checkbox]", signedIn: false, paths: ["/home"] },
  name: {
    selector: 'main a[href^="/domains/"]:not([href="/domains/import"])',
    signedIn: true,
    paths: ["/home", "/domains"],
  },
} as const;

type Visit = (typeof VISITS)[number];
type Click = keyof typeof CLICKS;
type Answer = (request: Request) => Response | Promise<Response>;

/** Whatever the page, one backend answers. */
function serve(site: Answer, api: Answer) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      new URL(request.url).pathname.startsWith("/api/") ? api(request) : site(request),
  });
}

const folder = createTemporaryFolder();
const file = join(folder.path, "register.sqlite");
const ours = await startServer({ DATABASE_URL: `sqlite://${file}` });
const plain = await serveYardstick();
const owner = createApiClient(ours.url);
await owner.setUp(ours.setUpCode());
await seedRegister(file, NAMES);

const passTo = (upstream: string) => (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return passOn(request, upstream + pathname + search);
};
const contenders: Record<string, Answer> = {
  Freehold: passTo(ours.url),
  "React + wouter": (request) => plain(new URL(request.url).pathname),
};

// The best coding is there a little after the start.
for (;;) {
  const headers = { "Accept-Encoding": "br" };
  const page = await fetch(`${ours.url}/home`, { headers, decompress: false });
  if (page.headers.get("content-encoding") === "br") break;
  await Bun.sleep(100);
}

const times = new Map<string, Paint[]>();
for (let round = 0; round < Number(rounds); round++) {
  for (const click of Object.keys(CLICKS) as Click[]) {
    for (const path of CLICKS[click].paths) {
      if (`${click} ${path}`.includes(only)) await measureAll(click, path);
    }
  }
}

/** The yardstick as `Bun.build` makes it, split, behind a plain server: brotli, immutable assets. */
async function serveYardstick() {
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
    if (!body) return new Response(page, { headers: { "Content-Type": "text/html" } });
    const headers = {
      "Content-Type": "text/javascript",
      "Content-Encoding": "br",
      "Cache-Control": "public, max-age=31536000, immutable",
    };
    return new Response(body, { headers });
  };
}

async function measureAll(click: Click, path: string) {
  for (const [name, site] of Object.entries(contenders)) {
    const paints = await visitAll(click, path, site);
    for (const [visit, paint] of paints) {
      const key = [click, path, visit, name].join("|");
      times.set(key, [...(times.get(key) ?? []), paint]);
    }
  }
}

async function visitAll(click: Click, path: string, site: Answer) {
  const { selector, signedIn } = CLICKS[click];
  await using server = serve(site, passTo(ours.url));
  const url = `http://localhost:${server.port}${path}`;
  const page = await openThrottled(signedIn ? owner.cookies : [], url);
  const paints = new Map<Visit, Paint>();
  try {
    for (const visit of VISITS) {
      paints.set(visit, await measurePaint(page, url, selector));
    }
  } finally {
    await page.close();
  }
  return paints;
}

function cell(path: string, visit: Visit, what: keyof Paint, click = firstClick(path)) {
  const [own, peer] = Object.keys(contenders).map((name) => {
    const paints = times.get([click, path, visit, name].join("|"));
    return paints && median(paints.map((paint) => paint[what]));
  });
  if (own === undefined || peer === undefined) return "";
  return `${own.toFixed(0)} / ${peer.toFixed(0)} = ${(own / peer).toFixed(2)}×`;
}

function firstClick(path: string): Click {
  return path === "/home" ? "form" : "name";
}

console.log(`Milliseconds, medians of ${rounds}: Freehold / plain React + wouter = ratio.`);
console.log("A click on: the checkbox of the sign-in form; a name, signed in.\n");
console.log("| | first paint | heading visible | largest paint | click: form | click: name |");
console.log("|---|---:|---:|---:|---:|---:|");
for (const path of CLICKS.name.paths) {
  for (const visit of VISITS) {
    const paints = (["first", "heading", "largest"] as const).map((of) => cell(path, visit, of));
    const clicks = (["form", "name"] as const).map((of) => cell(path, visit, "answered", of));
    const cells = [...paints, ...clicks];
    console.log(`| \`${path}\` ${visit} | ${cells.join(" | ")} |`);
  }
}

// Chromium would keep the process.
await ours[Symbol.asyncDispose]();
folder[Symbol.dispose]();
process.exit();
