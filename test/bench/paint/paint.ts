import { join } from "node:path";
import { createApiClient } from "../../support/api-client.ts";
import { copyProject } from "../../support/project-copy.ts";
import { seedRegister } from "../../support/seed-register.ts";
import { startServer } from "../../support/server-process.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { median } from "../process-cost.ts";
import { measurePaint, openThrottled, type Paint } from "./measure-paint.ts";
import { serveYardstick } from "./serve-yardstick.ts";

const [rounds = "7", only = ""] = process.argv.slice(2);
const VISITS = ["cold", "warm", "after an edit"] as const;
/** Names in the register: more than the first page of the list holds. */
const NAMES = 300;
/** Times that visits are made at most, where one of them fails. */
const TRIES = 6;

/**
 * What is clicked. The bar is the same for everybody and needs no data; a control of the screen
 * itself is there when the session is known: of the sign-in form, or a name of the register.
 */
const CLICKS = {
  bar: { selector: "nav a", signedIn: false, paths: ["/", "/home", "/domains"] },
  form: { selector: "main [type=checkbox]", signedIn: false, paths: ["/home", "/domains"] },
  name: {
    selector: 'main a[href^="/domains/"]:not([href="/domains/import"])',
    signedIn: true,
    paths: ["/home", "/domains"],
  },
} as const;

type Visit = (typeof VISITS)[number];
type Click = keyof typeof CLICKS;
type Answer = (request: Request) => Response | Promise<Response>;
type Versions = readonly [before: Answer, after: Answer];

/** One address whose content an edit changes; whatever the page, one backend answers. */
function serve(answers: { now: Answer }, api: Answer) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      new URL(request.url).pathname.startsWith("/api/") ? api(request) : answers.now(request),
  });
}

await using copy = await copyProject();
await copy.edit("src/client/home/home.tsx", '?? "Home"', '?? " Home"');
await copy.edit("src/client/domains/list/list.tsx", 'HEADING = "Domains"', 'HEADING = " Domains"');
using folder = createTemporaryFolder();
const file = join(folder.path, "register.sqlite");
await using ours = await startServer({ DATABASE_URL: `sqlite://${file}` });
await using edited = await startServer({}, { folder: copy.folder });
const [plain, plainEdited] = [await serveYardstick(), await serveYardstick(true)];
const owner = createApiClient(ours.url);
await owner.setUp(ours.setUpCode());
seedRegister(file, NAMES);

const passTo = (upstream: string) => async (request: Request) => {
  const { pathname, search } = new URL(request.url);
  const answer = await fetch(upstream + pathname + search, {
    headers: request.headers,
    decompress: false,
    proxy: false,
  });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
};
const asPlain = (yardstick: typeof plain) => (request: Request) =>
  yardstick.answer(new URL(request.url).pathname);
const contenders: Record<string, Versions> = {
  Freehold: [passTo(ours.url), passTo(edited.url)],
  "React + wouter": [asPlain(plain), asPlain(plainEdited)],
};

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
const failures: string[] = [];
for (let round = 0; round < Number(rounds); round++) {
  for (const click of Object.keys(CLICKS) as Click[]) {
    for (const path of CLICKS[click].paths) {
      if (`${click} ${path}`.includes(only)) await measureAll(click, path);
    }
  }
}

async function measureAll(click: Click, path: string) {
  for (const [name, answers] of Object.entries(contenders)) {
    const paints = await visitSurely(click, path, name, answers);
    for (const [visit, paint] of paints) {
      const key = [click, path, visit, name].join("|");
      times.set(key, [...(times.get(key) ?? []), paint]);
    }
  }
}

/** Visits until all went well: one that fails is told of, and the browser is new to the next. */
async function visitSurely(click: Click, path: string, name: string, answers: Versions) {
  for (let tries = 1; ; tries++) {
    try {
      return await visitAll(click, path, answers);
    } catch (error) {
      const [message] = (error instanceof Error ? error.message : String(error)).split(" Shown:\n");
      failures.push(`${name}, \`${path}\`, click on the ${click}: ${message}`);
      console.error(failures.at(-1));
      if (tries === TRIES) throw error;
    }
  }
}

async function visitAll(click: Click, path: string, [before, after]: Versions) {
  const { selector, signedIn } = CLICKS[click];
  const answers = { now: before };
  await using server = serve(answers, passTo(ours.url));
  const url = `http://localhost:${server.port}${path}`;
  const page = await openThrottled(signedIn ? owner.cookies : [], url);
  const paints = new Map<Visit, Paint>();
  try {
    for (const visit of VISITS) {
      if (visit === "after an edit") answers.now = after;
      paints.set(visit, await measurePaint(page, url, selector));
    }
  } finally {
    await page.close();
  }
  return paints;
}

function cell(click: Click, path: string, visit: Visit, what: keyof Paint) {
  const [own, peer] = Object.keys(contenders).map((name) => {
    const paints = times.get([click, path, visit, name].join("|"));
    return paints && median(paints.map((paint) => paint[what]));
  });
  if (own === undefined || peer === undefined) return "";
  return `${own.toFixed(0)} / ${peer.toFixed(0)} = ${(own / peer).toFixed(2)}×`;
}

console.log(`Milliseconds, medians of ${rounds}: Freehold / plain React + wouter = ratio.`);
console.log("A click on: the bar's link; the checkbox of the sign-in form; a name, signed in.\n");
console.log("| | first paint | heading visible | click: bar | click: form | click: name |");
console.log("|---|---:|---:|---:|---:|---:|");
for (const path of CLICKS.bar.paths) {
  for (const visit of VISITS) {
    const cells = [
      cell("bar", path, visit, "first"),
      cell("bar", path, visit, "heading"),
      cell("bar", path, visit, "answered"),
      cell("form", path, visit, "answered"),
      cell("name", path, visit, "answered"),
    ];
    console.log(`| \`${path}\` ${visit} | ${cells.join(" | ")} |`);
  }
}

const repeated =
  failures.length === 0 ? "none" : `${failures.length}\n\n- ${failures.join("\n- ")}`;
console.log(`\nVisits that failed and were made again: ${repeated}`);
