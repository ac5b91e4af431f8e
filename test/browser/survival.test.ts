import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { describeInChromium, Page } from "../support/chromium.ts";
import { OWNER } from "../support/owner.ts";
import { copyProject, type ProjectCopy } from "../support/project-copy.ts";
import { openShakyServer, type ShakyServer } from "../support/shaky-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

let copy: ProjectCopy;
let old: ServerProcess;
let next: ServerProcess;
let shaky: ShakyServer;
let page: Page;

const HOME = /^\/assets\/home-/;
const RED = "This screen could not be shown";

/** True once React has the page: before, a click on a link is the browser's own. */
const TAKEN_OVER = "history.scrollRestoration === 'manual'";

const heading = "document.querySelector('main h1')?.textContent";
const documents = () => shaky.asked.filter(({ document }) => document).length;

/** Opens a screen whose one link leads to an area that the page has not loaded. */
async function openNowhere() {
  page = await Page.open();
  // Another test has loaded the same files.
  await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(`${shaky.url}/nowhere`);
  await page.until(TAKEN_OVER);
  await page.evaluate("window.sameDocument = true");
  shaky.asked.length = 0;
}

const goHome = () => page.press("Go to the home screen");

async function expectMessageInMain() {
  await page.shows(RED);
  const found = await page.evaluate<unknown>(`({
    button: !!document.querySelector("main [role=alert] button"),
    around: document.querySelectorAll("nav, footer").length,
    path: location.pathname,
  })`);
  expect(found).toEqual({ button: true, around: 2, path: "/home" });
}

describeInChromium("what survives", () => {
  beforeAll(async () => {
    copy = await copyProject();
    await copy.edit("src/home/home.tsx", ">Home</h1>", ">Home, new</h1>");
    const env = { DATABASE_URL: `sqlite://${join(copy.folder, "shared.sqlite")}` };
    old = await startServer(env);
    next = await startServer(env, { folder: copy.folder });
    shaky = openShakyServer(old.url);
  }, 20_000);
  afterEach(async () => {
    await page.close();
    shaky.upstream = old.url;
    shaky.spoil = () => undefined;
  });
  afterAll(async () => {
    for (const used of [shaky, old, next, copy]) await used[Symbol.asyncDispose]();
  });

  const script = { "Content-Type": "text/javascript" };
  const broken: [string, () => Response | Promise<Response>][] = [
    ["404", () => new Response("gone", { status: 404 })],
    ["500", () => new Response("oops", { status: 500, headers: script })],
    ["HTML", () => new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } })],
    ["cut half-way", () => new Response('import{a}from"/assets/ven', { headers: script })],
  ];
  test.each(broken)(
    "a chunk that is %s: one reload, then a message; its button brings the screen",
    async (_, answer) => {
      await openNowhere();
      shaky.spoil = (path) => (HOME.test(path) ? answer() : undefined);
      await goHome();
      await expectMessageInMain();
      expect(documents()).toBe(1);
      const asked = shaky.asked.length;
      await Bun.sleep(400);
      expect(shaky.asked.length).toBe(asked);

      shaky.spoil = () => undefined;
      await page.press("Try again");
      await page.until(`${heading} === "Home"`);
    },
    20_000,
  );

  test("a chunk that fails once is asked for again, without a reload", async () => {
    await openNowhere();
    let failures = 1;
    shaky.spoil = (path) =>
      HOME.test(path) && failures-- > 0 ? new Response("oops", { status: 500 }) : undefined;
    await goHome();
    await page.until(`${heading} === "Home"`);
    expect(await page.evaluate<boolean>("window.sameDocument === true")).toBe(true);
  });

  test("offline: the page stays, says so, and goes on when the network is back", async () => {
    await openNowhere();
    const emulate = (offline: boolean) =>
      page.view.cdp("Network.emulateNetworkConditions", {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await emulate(true);
    await goHome();
    await expectMessageInMain();
    await page.evaluate("document.querySelector('main [role=alert]').dataset.first = ''");
    await page.press("Try again");
    // Not the message that was there: the second try has to be over before the network is back.
    await page.until("document.querySelector('main [role=alert]:not([data-first]) button')");
    expect(await page.evaluate<boolean>("window.sameDocument === true")).toBe(true);
    await emulate(false);
    await page.press("Try again");
    await page.until(`${heading} === "Home"`);
  }, 20_000);

  test("a deploy: the next navigation is a full load of the new version", async () => {
    await openNowhere();
    shaky.upstream = next.url;
    await goHome();
    await page.until(`${heading} === "Home, new"`);
    expect(documents()).toBe(1);

    // The other way round, where nothing has to be loaded for the screen.
    await page.goto(`${shaky.url}/nowhere`);
    await goHome();
    await page.until(`${heading} === "Home, new"`);
    await page.evaluate("history.back()");
    await page.shows("There is nothing here");
    shaky.upstream = old.url;
    await Bun.sleep(3100);
    shaky.asked.length = 0;
    await goHome();
    await page.until(`${heading} === "Home"`);
    expect(documents()).toBe(1);
  }, 30_000);

  test("the form of the session, when its code is gone and when it is back", async () => {
    await openNowhere();
    shaky.spoil = (path) =>
      path.includes("/session-form-") ? new Response("gone", { status: 404 }) : undefined;
    await goHome();
    await expectMessageInMain();
    expect(documents()).toBe(1);
    shaky.spoil = () => undefined;
    await page.press("Try again");
    await page.shows("Create the first account");
  }, 20_000);

  test("what was typed, through a deploy and the reload that it causes", async () => {
    await openNowhere();
    await page.goto(`${shaky.url}/home#set-up=${encodeURIComponent(old.setUpCode())}`);
    await page.fill("E-mail address", OWNER.email);
    await page.fill("Password", OWNER.password);
    await page.press("Create account");
    await page.press("Add a name");
    await page.fill("Domain name", "half-typed.example");
    shaky.upstream = next.url;
    await Bun.sleep(3100);
    await page.evaluate("history.back()");
    await page.until(`${heading} === "Home, new"`);
    await page.evaluate("history.forward()");
    await page.until("document.querySelector('[name=name]')?.value === 'half-typed.example'");
  }, 20_000);
});
