import { copyProject } from "../../support/project-copy.ts";
import { startServer } from "../../support/server-process.ts";
import { median } from "../process-cost.ts";
import { measurePaint, openThrottled, type Paint } from "./measure-paint.ts";
import { serveYardstick } from "./serve-yardstick.ts";

const ROUNDS = Number(process.argv[2] ?? 7);
const PATHS = ["/", "/home", "/domains"];
const VISITS = ["cold", "warm", "after an edit"] as const;

type Visit = (typeof VISITS)[number];
type Answer = (request: Request) => Response | Promise<Response>;

/** One address whose content an edit changes. */
function serve(answers: { now: Answer }) {
  return Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answers.now(request) });
}

await using copy = await copyProject();
await copy.edit("src/home/home.tsx", ">Home</h1>", "> Home</h1>");
await copy.edit("src/domains/domains.tsx", ">Domains</h1>", "> Domains</h1>");
await using ours = await startServer();
await using edited = await startServer({}, { folder: copy.folder });
const [plain, plainEdited] = [await serveYardstick(), await serveYardstick(true)];

const passTo = (upstream: string) => async (request: Request) => {
  const { pathname } = new URL(request.url);
  const answer = await fetch(upstream + pathname, {
    headers: request.headers,
    decompress: false,
    proxy: false,
  });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
};
const asPlain = (yardstick: typeof plain) => (request: Request) =>
  yardstick.answer(new URL(request.url).pathname);
const contenders = {
  Freehold: [passTo(ours.url), passTo(edited.url)],
  "React + wouter": [asPlain(plain), asPlain(plainEdited)],
} as const;

// The best coding is there a little after the start.
for (const { url } of [ours, edited]) {
  for (;;) {
    const headers = { "Accept-Encoding": "br" };
    const page = await fetch(`${url}/home`, { headers, decompress: false });
    if (page.headers.get("content-encoding") === "br") break;
    await Bun.sleep(100);
  }
}

const times = new Map<string, Paint[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const path of PATHS) {
    for (const [name, [before, after]] of Object.entries(contenders)) {
      const answers: { now: Answer } = { now: before };
      const server = serve(answers);
      const page = await openThrottled();
      const visit = async (how: Visit) => {
        const paint = await measurePaint(page, `http://localhost:${server.port}${path}`);
        const key = [path, how, name].join("|");
        times.set(key, [...(times.get(key) ?? []), paint]);
      };
      await visit("cold");
      await visit("warm");
      answers.now = after;
      await visit("after an edit");
      await page.close();
      await server.stop(true);
    }
  }
}

const figure = (path: string, how: Visit, name: string, what: keyof Paint) =>
  median((times.get([path, how, name].join("|")) ?? []).map((paint) => paint[what]));

const cell = (path: string, how: Visit, what: keyof Paint) => {
  const [own, peer] = Object.keys(contenders).map((name) => figure(path, how, name, what));
  return `${own?.toFixed(0)} / ${peer?.toFixed(0)} = ${((own ?? 0) / (peer ?? 1)).toFixed(2)}×`;
};
console.log(`Milliseconds, medians of ${ROUNDS}: Freehold / plain React + wouter = ratio.\n`);
console.log("| | first paint | heading visible | interactive |\n|---|---|---|---|");
for (const path of PATHS) {
  for (const how of VISITS) {
    const cells = (["first", "heading", "interactive"] as const).map((what) =>
      cell(path, how, what),
    );
    console.log(`| \`${path}\` ${how} | ${cells.join(" | ")} |`);
  }
}
