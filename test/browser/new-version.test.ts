import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { startNextVersion } from "../support/next-version.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openVisit, TAKEN_OVER } from "../support/visit.ts";

let old: ServerProcess;
let next: ServerProcess;
let owner: ApiClient;
const used = new AsyncDisposableStack();
const folder = used.use(createTemporaryFolder());
const list = join(folder.path, "from-disk.csv");

const DROP = "Drop a registrar export here, or choose a file";
const HOME = /^\/assets\/home-/;
const heading = "document.querySelector('main h1')?.textContent";

/** A form that is half filled in: what has to be in it again after a reload. */
interface BegunForm {
  path: string;
  begin(page: Page): Promise<void>;
  /** A selector of the controls. */
  control: string;
  values: string[];
}

/** The forms of the list and of a domain, for a register that holds `one.example`. */
const FORMS: BegunForm[] = [
  {
    path: "/domains?add",
    begin: (page) => page.fill("Domain name", "half-typed.example"),
    control: "dialog[open] [name=name]",
    values: ["half-typed.example"],
  },
  {
    path: "/domains/one.example",
    async begin(page) {
      await page.press("Edit");
      await page.fill("Notes", "half a note");
    },
    control: "dialog[open] [name=notes]",
    values: ["half a note"],
  },
  {
    path: "/domains",
    async begin(page) {
      // The form that was begun before.
      await page.press("Cancel");
      await page.press("Discard");
      await page.view.click("[aria-label='Select one.example']");
      await page.press("More");
      await page.press("Edit…");
      await page.fill("Owner", "Gra");
    },
    control: "dialog[open] [name=owner]",
    values: ["Gra"],
  },
];

/** A person on /home, while a new version is installed. */
async function openHome() {
  const visit = await openVisit(old);
  const { shaky, page } = visit;
  await visit.signIn(owner);
  await page.goto(`${shaky.url}/home`);
  await page.shows("Add your first domains");
  shaky.asked.length = 0;
  shaky.upstream = next.url;
  return visit;
}

describeInChromium("missing code, new versions and unsaved changes", () => {
  beforeAll(async () => {
    await Bun.write(list, "Domain\nfrom-disk.example\n");
    const env = { DATABASE_URL: `sqlite://${join(folder.path, "shared.sqlite")}` };
    old = used.use(await startServer(env));
    owner = createApiClient(old.url);
    await owner.setUp(old.setUpCode());
    next = used.use(await startNextVersion(env));
  });
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
  });

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
  });

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
  });

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
  });

  test("a chosen file: the page does not reload by itself, and the browser asks before it does", async () => {
    await using visit = await openHome();
    const { shaky, page } = visit;
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
      await using visit = await openVisit(old);
      const { shaky, page } = visit;
      await visit.signIn(owner);
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
      await using visit = await openVisit(old);
      const { shaky, page } = visit;
      await visit.signIn(owner);
      const isHome = () => `${heading} === "${shaky.upstream === next.url ? "Home, new" : "Home"}"`;
      const go = (path: string) => page.evaluate(`history.pushState(null, "", "${path}")`);
      await page.goto(`${shaky.url}/home`);
      await page.until(TAKEN_OVER);
      for (const { path, begin, control, values } of FORMS) {
        await go("/home");
        await page.until(isHome());
        await go(path);
        await begin(page);
        await page.evaluate("window.sameDocument = true");
        shaky.upstream = shaky.upstream === old.url ? next.url : old.url;
        await page.evaluate("history.back()");
        await page.until(`!window.sameDocument && ${isHome()} && ${TAKEN_OVER}`);
        await page.evaluate("history.forward()");
        const found = `[...document.querySelectorAll("${control}")].map((each) => each.value)`;
        for (const value of values) await page.until(`${found}.includes("${value}")`);
      }
    });
  });
});
