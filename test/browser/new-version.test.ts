import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { describeInChromium, Page } from "../support/chromium.ts";
import { shareSession } from "../support/owner.ts";
import { copyProject } from "../support/project-copy.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { openShakyServer, TAKEN_OVER } from "../support/shaky-server.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

let old: ServerProcess;
let next: ServerProcess;
let owner: ApiClient;
const used = new AsyncDisposableStack();
const folder = used.use(createTemporaryFolder());
const list = join(folder.path, "from-disk.csv");

const DROP = "Drop a registrar export here, or choose a file";
const HOME = /^\/assets\/home-/;
const heading = "document.querySelector('main h1')?.textContent";

/**
 * The forms of the list and of a domain, for a register that holds `one.example`: where they are, how
 * they are begun, and the control with the text that has to be in it again after a reload.
 */
const FORMS: [path: string, begin: (page: Page) => Promise<void>, name: string, text: string][] = [
  ["/domains?add", (page) => page.fill("Domain name", "half.example"), "name", "half.example"],
  [
    "/domains/one.example",
    async (page) => {
      await page.press("Edit");
      await page.fill("Notes", "half a note");
    },
    "notes",
    "half a note",
  ],
  [
    "/domains",
    async (page) => {
      // The form that was begun before.
      await page.press("Cancel");
      await page.press("Discard");
      await page.view.click("[aria-label='Select one.example']");
      await page.press("More");
      await page.press("Edit…");
      await page.fill("Owner", "Gra");
    },
    "owner",
    "Gra",
  ],
];

/**
 * What differs from the version of today: headings end in “, new”. It is started from source, hardly compressed,
 * as to build an executable takes seconds of compressing.
 */
const EDITS = [
  ["src/client/home/home.tsx", '?? "Home"', '?? "Home, new"'],
  ["src/client/domains/list/list.tsx", 'HEADING = "Domains"', 'HEADING = "Domains, new"'],
  ["src/client/import/import.tsx", 'heading="Import domains"', 'heading="Import domains, new"'],
  ["src/server/site/site.ts", "level: 19", "level: 1"],
  ["src/server/site/site.ts", "PARAM_QUALITY]: 11", "PARAM_QUALITY]: 1"],
] as const;

const RED = "This screen could not be loaded";
/** A visit to an address of its own that can break: where it begins is as old as the deploy. */
async function openVisit() {
  const shaky = openShakyServer(old.url);
  const page = await Page.open();
  // Another test has loaded the same files.
  await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
  return {
    shaky,
    page,
    documents: () => shaky.asked.filter(({ document }) => document).length,
    /** Goes to a screen whose one link leads to an area that the page has not loaded. */
    async goNowhere() {
      await page.goto(`${shaky.url}/nowhere`);
      await page.until(TAKEN_OVER);
      await page.evaluate("window.sameDocument = true");
      shaky.asked.length = 0;
    },
    goHome: () => page.press("Home"),
    signIn: () => shareSession(page, owner, shaky.url),
    isSameDocument: () => page.evaluate<boolean>("window.sameDocument === true"),
    /** Resolves when the page has not asked for anything for a while. */
    async rests() {
      for (let asked = -1; asked !== shaky.asked.length; await Bun.sleep(400)) {
        asked = shaky.asked.length;
      }
    },
    async expectMessageInMain(path = "/home") {
      await page.shows(RED);
      const found = await page.evaluate<unknown>(`({
        button: !!document.querySelector("main [role=alert] button"),
        around: !!document.querySelector("nav") && !!document.querySelector("footer"),
        path: location.pathname,
      })`);
      expect(found).toEqual({ button: true, around: true, path });
    },
    async [Symbol.asyncDispose]() {
      await page.close();
      await shaky[Symbol.asyncDispose]();
    },
  };
}

describeInChromium("missing code, new versions and unsaved changes", () => {
  beforeAll(async () => {
    await Bun.write(list, "Domain\nfrom-disk.example\n");
    const env = { DATABASE_URL: `sqlite://${join(folder.path, "shared.sqlite")}` };
    old = used.use(await startServer(env));
    owner = createApiClient(old.url);
    await owner.setUp(old.setUpCode());
    const copy = used.use(await copyProject());
    for (const [path, from, to] of EDITS) await copy.edit(path, from, to);
    next = used.use(await startServer(env, { folder: copy.folder }));
  });
  afterAll(() => used.disposeAsync());

  const script = { "Content-Type": "text/javascript" };
  const html = { "Content-Type": "text/html" };
  const broken: [part: RegExp, answer: () => Response][] = [
    [HOME, () => new Response("<!doctype html>", { headers: html })],
    [HOME, () => new Response('import{a}from"/assets/ven', { headers: script })],
    // A part of the screen.
    [/\/onboarding-/, () => new Response("gone", { status: 404 })],
  ];
  test("a chunk that fails: once is asked again, for good is a message and no reload", async () => {
    await using visit = await openVisit();
    const { shaky, page } = visit;
    await visit.signIn();
    for (const [part, answer] of broken) {
      await visit.goNowhere();
      shaky.spoil = (path) => (part.test(path) ? answer() : undefined);
      await visit.goHome();
      await visit.expectMessageInMain();
      await visit.rests();
      expect(await visit.isSameDocument()).toBe(true);

      shaky.spoil = () => undefined;
      await page.press("Try again");
      await page.shows("Add your first domains");
    }

    await visit.goNowhere();
    let failures = 1;
    shaky.spoil = (path) =>
      HOME.test(path) && failures-- > 0 ? new Response("oops", { status: 500 }) : undefined;
    await visit.goHome();
    await page.until(`${heading} === "Home"`);
    expect(await visit.isSameDocument()).toBe(true);
  });

  test("offline: the page stays, says so, and goes on when the network is back", async () => {
    await using visit = await openVisit();
    const { page } = visit;
    await visit.goNowhere();
    const emulate = (offline: boolean) =>
      page.view.cdp("Network.emulateNetworkConditions", {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await emulate(true);
    await visit.goHome();
    await visit.expectMessageInMain();
    await page.evaluate("document.querySelector('main [role=alert]').dataset.first = ''");
    await page.press("Try again");
    // Not the message that was there: the second try has to be over before the network is back.
    await page.until("document.querySelector('main [role=alert]:not([data-first]) button')");
    expect(await visit.isSameDocument()).toBe(true);
    await emulate(false);
    await page.press("Try again");
    await page.until(`${heading} === "Home"`);
  });

  test("a deploy: the next navigation is a full load of the new version", async () => {
    await using visit = await openVisit();
    const { shaky, page } = visit;
    await visit.goNowhere();
    shaky.upstream = next.url;
    await visit.goHome();
    await page.until(`${heading} === "Home, new"`);
    expect(visit.documents()).toBe(1);

    // The other way round, where nothing has to be loaded for the screen.
    await page.goto(`${shaky.url}/nowhere`);
    await page.until(TAKEN_OVER);
    await visit.goHome();
    await page.until(`${heading} === "Home, new"`);
    // Later: the page may be gone before it could answer.
    await page.evaluate("setTimeout(() => history.back())");
    await page.shows("Page not found");
    await visit.rests();
    shaky.upstream = old.url;
    shaky.asked.length = 0;
    await visit.goHome();
    await page.until(`${heading} === "Home"`);
    expect(visit.documents()).toBe(1);
  });

  test("a chosen file: the page does not reload by itself, and the browser asks before it does", async () => {
    await using visit = await openVisit();
    const { shaky, page } = visit;
    await visit.signIn();
    await page.goto(`${shaky.url}/home`);
    await page.shows("Add your first domains");
    shaky.asked.length = 0;
    shaky.upstream = next.url;
    const asked = Promise.withResolvers<undefined>();
    page.on("Page.javascriptDialogOpening", () => {
      asked.resolve(undefined);
      void page.view.cdp("Page.handleJavaScriptDialog", { accept: true });
    });
    await page.choose(DROP, list);
    await visit.expectMessageInMain("/domains/import");
    expect(visit.documents()).toBe(0);
    await page.press("Try again");
    await asked.promise;
    await page.until(`${heading} === "Import domains, new"`);
    expect(shaky.asked.filter(({ path }) => path === "/api/upload/post")).toEqual([]);
  });

  describe("with a domain", () => {
    beforeAll(async () => {
      await owner.request("/api/domains", { method: "POST", json: { name: "one.example" } });
    });

    test("a file whose screen is left during the upload is uploaded again there", async () => {
      await using visit = await openVisit();
      const { shaky, page } = visit;
      await visit.signIn();
      await page.goto(`${shaky.url}/domains/import`);
      await page.shows("Drop files here, or choose them");
      await page.until(TAKEN_OVER);
      const never = Promise.withResolvers<undefined>();
      shaky.spoil = (path) => (path === "/api/upload/post" ? never.promise : undefined);
      await page.choose("Drop files here, or choose them", list);
      await page.shows("Uploading “from-disk.csv”");
      await page.evaluate('history.pushState(null, "", "/domains")');
      await page.until(`${heading} === "Domains"`);
      never.resolve(undefined);
      shaky.spoil = () => undefined;
      await page.press("Import");
      await page.shows("Check the columns");
      await page.shows("from-disk.example");
    });

    test("forms of the list and of a domain survive the reload", async () => {
      await using visit = await openVisit();
      const { shaky, page } = visit;
      await visit.signIn();
      const isHome = () => `${heading} === "${shaky.upstream === next.url ? "Home, new" : "Home"}"`;
      const go = (path: string) => page.evaluate(`history.pushState(null, "", "${path}")`);
      await page.goto(`${shaky.url}/home`);
      await page.until(TAKEN_OVER);
      for (const [path, begin, name, text] of FORMS) {
        await go("/home");
        await page.until(isHome());
        await go(path);
        await begin(page);
        await page.evaluate("window.sameDocument = true");
        shaky.upstream = shaky.upstream === old.url ? next.url : old.url;
        await page.evaluate("history.back()");
        await page.until(`!window.sameDocument && ${isHome()} && ${TAKEN_OVER}`);
        await page.evaluate("history.forward()");
        await page.until(
          `document.querySelector("dialog[open] [name=${name}]")?.value === "${text}"`,
        );
      }
    });
  });
});
