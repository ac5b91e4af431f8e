import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createApiClient } from "../support/api-client.ts";
import { begunForms } from "../support/begun-forms.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { copyProject } from "../support/project-copy.ts";
import { previewOf } from "../support/import-client.ts";
import { leaveFile, readKept } from "../support/kept-files.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openVisit, TAKEN_OVER } from "../support/visit.ts";

let old: ServerProcess;
let next: ServerProcess;
let cookies: ReadonlyMap<string, string>;
/** The summary of a register without names. */
let nothing: unknown;
/** An import whose columns wait for an answer. */
let begun: string;
const used = new AsyncDisposableStack();
const folder = used.use(createTemporaryFolder());
const list = join(folder.path, "from-disk.csv");

const DROP = "Drop a registrar export here, or choose a file";
const UPLOAD = "/api/upload/post";
const PASTE = "Or paste domains";
const heading = "document.querySelector('main h1')?.textContent";
const NO_DATABASE = `Object.defineProperty(globalThis, "indexedDB", {
  get() { throw new DOMException("Not in this mode.", "SecurityError"); },
});`;
const BOX = "document.querySelector('textarea').value";

/** Somebody on /home, whose version goes while they look at it. */
async function openHome(before = "") {
  const visit = await openVisit(old);
  const { shaky, page } = visit;
  await page.view.cdp("Page.addScriptToEvaluateOnNewDocument", { source: before });
  await visit.signIn(cookies);
  shaky.spoil = (path) => (path === "/api/summary" ? Response.json(nothing) : undefined);
  await page.goto(`${shaky.url}/home`);
  await page.shows("Add your first domains");
  shaky.asked.length = 0;
  shaky.upstream = next.url;
  return visit;
}

describeInChromium("what was begun on one screen, where a deploy has taken the next away", () => {
  beforeAll(async () => {
    await Bun.write(list, "Domain\nfrom-disk.example\n");
    const copy = used.use(await copyProject());
    await copy.edit("src/client/import/import.tsx", ">Import domains</h1>", ">Import, new</h1>");
    await copy.edit("src/client/domains/domains.tsx", ">Domains</h1>", ">Domains, new</h1>");
    const env = { DATABASE_URL: `sqlite://${join(copy.folder, "shared.sqlite")}` };
    old = used.use(await startServer(env));
    const owner = createApiClient(old.url);
    await owner.setUp(old.setUpCode());
    cookies = owner.cookies;
    nothing = await owner.json("/api/summary?today=2026-11-21");
    await owner.request("/api/domains", { method: "POST", json: { name: "one.example" } });
    begun = (await previewOf(owner, "Site,Who\ntwo.example,Ada\n")).id;
    next = used.use(await startServer(env, { folder: copy.folder }));
  }, 20_000);
  afterAll(() => used.disposeAsync());

  const paste = async (page: Page) => {
    await page.fill(PASTE, "pasted.example");
    await page.press("Review domains");
  };
  const arrives = async (page: Page, name: string) => {
    await page.shows("Check the columns");
    await page.shows(name);
    expect(await readKept(page)).toEqual({ files: 0, texts: 0 });
  };

  test.concurrent(
    "pasted names: at the new screen, once, and kept no longer",
    async () => {
      await using visit = await openHome();
      const { shaky, page } = visit;
      await paste(page);
      await page.until(`${heading} === "Import, new"`);
      await arrives(page, "pasted.example");
      expect(visit.documents()).toBe(1);
      await page.evaluate("history.back()");
      await page.shows("Earlier imports");
      expect(shaky.asked.filter(({ path }) => path === UPLOAD)).toHaveLength(1);

      // What a tab has left behind that is gone is forgotten by the next page.
      await leaveFile(page, Date.now() - 1);
      await page.goto(`${shaky.url}/home`);
      await page.shows("Add your first domains");
      expect((await readKept(page)).files).toBe(0);
    },
    20_000,
  );

  test.concurrent(
    "a chosen file: at the new screen, and sent again when its screen was left while it was sent",
    async () => {
      await using visit = await openHome();
      const { shaky, page } = visit;
      await page.choose(DROP, list);
      await page.until(`${heading} === "Import, new"`);
      await arrives(page, "from-disk.example");

      await page.goto(`${shaky.url}/domains/import`);
      await page.shows("Earlier imports");
      const never = Promise.withResolvers<undefined>();
      shaky.spoil = (path) => (path === UPLOAD ? never.promise : undefined);
      await page.choose("Drop a file here, or choose one", list);
      await page.shows("Sending “from-disk.csv”");
      shaky.upstream = old.url;
      await page.evaluate('history.pushState(null, "", "/domains")');
      await page.until(`${heading} === "Domains"`);
      never.resolve(undefined);
      shaky.spoil = () => undefined;
      await page.press("Import");
      await arrives(page, "from-disk.example");
    },
    20_000,
  );

  test.concurrent(
    "a file that cannot be kept: the page stays and says so, and the next says which it was",
    async () => {
      await using visit = await openHome(NO_DATABASE);
      const { page } = visit;
      await page.choose(DROP, list);
      await page.shows("“from-disk.csv” cannot be kept for it: choose it again there.");
      expect(visit.documents()).toBe(0);
      await page.press("Try again");
      await page.until(`${heading} === "Import, new"`);
      await page.shows("“from-disk.csv” was on its way when this page was left");
      expect(visit.documents()).toBe(1);
    },
    20_000,
  );

  test.concurrent(
    "another person after the reload: nothing is shown to them, nothing is left",
    async () => {
      await using visit = await openHome();
      const { shaky, page } = visit;
      const grace = { state: "signed-in", email: "grace@example.com" };
      shaky.spoil = (path) =>
        path === "/api/token" && visit.documents() > 0 ? Response.json(grace) : undefined;
      await paste(page);
      await page.until(`${heading} === "Import, new" && ${BOX} === ""`);
      expect(await readKept(page)).toEqual({ files: 0, texts: 0 });
      expect(shaky.asked.filter(({ path }) => path === UPLOAD)).toEqual([]);
    },
    20_000,
  );

  test.concurrent(
    "every form, through a deploy and the reload that it causes",
    async () => {
      await using visit = await openVisit(old);
      const { shaky, page } = visit;
      await visit.signIn(cookies);
      const go = (path: string) => page.evaluate(`history.pushState(null, "", "${path}")`);
      await page.goto(`${shaky.url}/home`);
      await page.until(TAKEN_OVER);
      for (const { path, begin, control, values } of begunForms(begun)) {
        // What was chosen must not be with the server before the page goes.
        shaky.spoil = (asked, method) =>
          asked.startsWith("/api/imports/") && method === "PATCH"
            ? new Response(null, { status: 503 })
            : undefined;
        await go("/home");
        await page.until(`${heading} === "Home"`);
        await go(path);
        await begin(page);
        await page.evaluate("window.sameDocument = true");
        shaky.upstream = shaky.upstream === old.url ? next.url : old.url;
        await page.evaluate("history.back()");
        await page.until(`!window.sameDocument && ${heading} === "Home" && ${TAKEN_OVER}`);
        shaky.spoil = () => undefined;
        await page.evaluate("history.forward()");
        const found = `[...document.querySelectorAll("${control}")].map((each) => each.value)`;
        for (const value of values) await page.until(`${found}.includes("${value}")`);
      }
    },
    30_000,
  );
});
