import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { describeInChromium } from "../support/chromium.ts";
import { startNextVersion } from "../support/next-version.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openVisit, TAKEN_OVER } from "../support/visit.ts";

let old: ServerProcess;
let next: ServerProcess;
let owner: ApiClient;
const used = new AsyncDisposableStack();

const HOME = /^\/assets\/home-/;
const heading = "document.querySelector('main h1')?.textContent";

describeInChromium("missing code and new versions", () => {
  beforeAll(async () => {
    const folder = used.use(createTemporaryFolder());
    const env = { DATABASE_URL: `sqlite://${join(folder.path, "shared.sqlite")}` };
    old = used.use(await startServer(env));
    owner = createApiClient(old.url);
    await owner.setUp(old.setUpCode());
    next = used.use(await startNextVersion(env));
  }, 60_000);
  afterAll(() => used.disposeAsync());

  const script = { "Content-Type": "text/javascript" };
  const broken: [string, () => Response][] = [
    ["404", () => new Response("gone", { status: 404 })],
    ["HTML", () => new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } })],
    ["cut half-way", () => new Response('import{a}from"/assets/ven', { headers: script })],
  ];
  test("a chunk that fails: once is asked again, for good is a message and no reload", async () => {
    await using visit = await openVisit(old);
    const { shaky, page } = visit;
    for (const [what, answer] of broken) {
      await visit.goNowhere();
      shaky.spoil = (path) => (HOME.test(path) ? answer() : undefined);
      await visit.goHome();
      await visit.expectMessageInMain();
      await visit.rests();
      expect([what, await visit.isSameDocument()]).toEqual([what, true]);

      shaky.spoil = () => undefined;
      await page.press("Try again");
      await page.until(`${heading} === "Home"`);
    }

    await visit.goNowhere();
    let failures = 1;
    shaky.spoil = (path) =>
      HOME.test(path) && failures-- > 0 ? new Response("oops", { status: 500 }) : undefined;
    await visit.goHome();
    await page.until(`${heading} === "Home"`);
    expect(await visit.isSameDocument()).toBe(true);
  }, 60_000);

  test("offline: the page stays, says so, and goes on when the network is back", async () => {
    await using visit = await openVisit(old);
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
  }, 60_000);

  test("a deploy: the next navigation is a full load of the new version", async () => {
    await using visit = await openVisit(old);
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
  }, 60_000);

  test("a part of a screen, when its code is gone and when it is back", async () => {
    await using visit = await openVisit(old);
    const { shaky, page } = visit;
    await visit.signIn(owner);
    await visit.goNowhere();
    shaky.spoil = (path) =>
      path.includes("/onboarding-") ? new Response("gone", { status: 404 }) : undefined;
    await visit.goHome();
    await visit.expectMessageInMain();
    expect(visit.documents()).toBe(0);
    shaky.spoil = () => undefined;
    await page.press("Try again");
    await page.shows("Add your first domains");
  }, 60_000);
});
