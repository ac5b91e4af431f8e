import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, Page, withPage } from "../support/chromium.ts";
import { addressOf } from "../support/owner.ts";
import { openShakyServer, type ShakyServer, TAKEN_OVER } from "../support/shaky-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

let server: ServerProcess;
let shaky: ShakyServer;

const WELCOME = "Create the owner account";
const heading = "document.querySelector('main h1')?.textContent";
/** The form, which stands for every screen while the register has no owner, has the focus. */
const ON_HOME = "document.activeElement.name === 'setUpCode'";
/** What speaks up by itself, wherever the focus is. */
const SPOKEN = `[...document.querySelectorAll(
  "[aria-live], output, [role=status], [role=alert], [role=log]")].map((e) => e.innerText).filter(Boolean)`;
/** The page's first script has run. */
const STARTED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd > 0";

describeInChromium("the first paint and what follows", () => {
  beforeAll(async () => {
    server = await startServer();
    shaky = openShakyServer(server.url);
  });
  afterAll(async () => {
    await shaky[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test("takes the page over as it was sent, with every request made once and named by it", async () => {
    const before = `new MutationObserver((changes) => {
      for (const { removedNodes } of changes) for (const node of removedNodes)
        if (node.localName === "main" || node.localName === "nav" || node.localName === "h1")
          (globalThis.lost ??= []).push(node.localName);
    }).observe(document, { childList: true, subtree: true });`;
    await withPage(
      async (page) => {
        await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
        for (const path of ["/home", "/domains"]) {
          shaky.asked.length = 0;
          await page.goto(shaky.url + path);
          await page.shows(WELCOME);
          expect(await page.evaluate<unknown>("globalThis.lost")).toBeUndefined();
          const paths = shaky.asked.map((request) => request.path);
          const asked = paths.filter((each) => each !== "/favicon.svg");
          const twice = asked.filter((each, index) => asked.indexOf(each) !== index);
          expect(twice).toEqual([]);
          const named = await page.evaluate<string[]>(
            "[...document.querySelectorAll('link, script')].map((e) => new URL(e.href || e.src).pathname)",
          );
          expect(asked.length).toBeGreaterThan(5);
          // The form for a link is for few, and others' changes are asked for behind the screen: the page
          // names neither.
          const form = expect.stringMatching(/\/join-form-/);
          const needed = asked.filter((each) => !each.includes("/follow-others-"));
          expect(needed.filter((each) => !named.includes(each))).toEqual([path, form]);
        }
      },
      { before },
    );
  });

  test("costs a second visit no more than the page's 304, and comes back from the cache whole", async () => {
    await withPage(async (page) => {
      const address = addressOf(server);
      // From source, the best coding comes a little after the start.
      const headers = { "Accept-Encoding": "br" };
      const ask = () => fetch(`${server.url}/home`, { headers, decompress: false });
      while (!(await ask()).headers.has("content-encoding")) await Bun.sleep(50);
      await page.goto(`${address}/home`);
      await page.shows(WELCOME);
      await page.goto("about:blank");
      await page.goto(`${address}/home`);
      await page.shows(WELCOME);
      const scripts = await page.evaluate<{ name: string; transferSize: number }[]>(
        `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/"))
          .map(({ name, transferSize }) => ({ name, transferSize }))`,
      );
      expect(scripts.length).toBeGreaterThan(3);
      expect(scripts.filter(({ transferSize }) => transferSize > 0)).toEqual([]);
      const transferred = "performance.getEntriesByType('navigation')[0].transferSize";
      expect(await page.evaluate<number>(transferred)).toBeLessThan(1000);

      await page.evaluate(
        "void addEventListener('pageshow', (e) => { window.whole = e.persisted })",
      );
      await page.goto(`${address}/nowhere`);
      page.complaints.length = 0;
      await page.evaluate("history.back()").catch(() => undefined);
      await page.until("window.whole === true");
      await page.shows(WELCOME);
    });
  });

  test("keeps the old screen while a slow one comes, then moves focus, title and announcement", async () => {
    await using page = await Page.open();
    await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
    shaky.asked.length = 0;
    await page.goto(`${shaky.url}/nowhere`);
    await page.until(TAKEN_OVER);
    expect(await page.evaluate<string>("document.title")).toBe("Not found · Freehold");
    expect(await page.evaluate<number>("document.querySelectorAll('nav, footer').length")).toBe(2);
    await expectAccessible(page);
    const homes = () => shaky.asked.filter(({ path }) => path.startsWith("/assets/home-"));
    expect(homes()).toEqual([]);
    await page.evaluate(`new MutationObserver(() => {
      if (document.querySelector("#content > output")) window.flashed = true;
    }).observe(document.body, { childList: true, subtree: true, attributes: true })`);
    const gate = Promise.withResolvers<undefined>();
    shaky.spoil = async (path) => (path.startsWith("/assets/home-") ? gate.promise : undefined);
    await page.press("Home");
    await page.until("document.querySelector('.progress-bar:not([hidden])')");
    expect(await page.evaluate<string>(heading)).toBe("Page not found");
    expect(homes()).toHaveLength(1);
    gate.resolve(undefined);
    await page.until(ON_HOME);
    await page.until("document.querySelector('.progress-bar[hidden]')");
    // The focus alone announces it.
    const arrival = `[document.title, !!window.flashed, ${SPOKEN}]`;
    expect(await page.evaluate<unknown>(arrival)).toEqual(["Home · Freehold", false, []]);

    await page.evaluate("history.back()");
    await page.until("document.activeElement.textContent === 'Page not found'");
    expect(await page.evaluate<unknown>(SPOKEN)).toEqual([]);
    // By the keyboard alone, to a screen that is there already.
    shaky.spoil = () => undefined;
    await page.evaluate("document.querySelector('main a').focus()");
    await page.view.press("Enter");
    await page.until(ON_HOME);
    expect(await page.evaluate<unknown>(arrival)).toEqual(["Home · Freehold", false, []]);
    // The browser's own, about the status.
    expect(page.complaints).toEqual([expect.stringContaining("404")]);
  });

  test.each([
    ["the bar", "nav a", "/home"],
    ["the content", "main a[href='/domains']", "/domains"],
  ])("leaves a click before React to a plain link, in %s", async (_, link, target) => {
    await withPage(async (page) => {
      const gate = Promise.withResolvers<undefined>();
      shaky.spoil = async (asked) =>
        asked.startsWith("/assets/vendor-") ? gate.promise : undefined;
      await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
      const loaded = page.goto(`${shaky.url}/domains/one.example`).catch(() => undefined);
      await page.until(`location.origin === "${shaky.url}" && ${STARTED}`);
      await page.evaluate(`void document.querySelector("${link}").click()`);
      await page.until("location.pathname !== '/domains/one.example'");
      gate.resolve(undefined);
      await loaded;
      await page.shows(WELCOME);
      expect(await page.evaluate<string>("location.pathname")).toBe(target);
    });
  });

  test("restores the scroll position on back, forward and reload, and starts a new entry at the top", async () => {
    await using page = await Page.open({
      height: 300,
      media: { "prefers-reduced-motion": "reduce" },
    });
    await page.goto(`${shaky.url}/nowhere`);
    await page.until(TAKEN_OVER);
    const y = (wanted: number) => page.until(`Math.abs(scrollY - ${wanted}) <= 2`);
    await page.evaluate("scrollTo(0, 60)");
    await page.press("Home");
    await page.shows(WELCOME);
    await y(0);
    await page.evaluate("scrollTo(0, 120)");
    await page.evaluate("history.back()");
    await page.shows("Page not found");
    const left = await page.evaluate<number>("JSON.parse(sessionStorage.scroll) && scrollY");
    expect(left).toBeGreaterThan(0);
    await page.evaluate("history.forward()");
    await page.shows(WELCOME);
    await y(120);
    await page.evaluate("location.reload()").catch(() => undefined);
    await page.shows(WELCOME);
    await y(120);
  });

  test("skips to the content, and fits 320 px and 400 % in forced colours", async () => {
    await withPage(
      async (page) => {
        for (const path of ["/home", "/domains"]) {
          await page.goto(addressOf(server) + path);
          await page.shows(WELCOME);
          const wide =
            "document.documentElement.scrollWidth - document.documentElement.clientWidth";
          expect(await page.evaluate<number>(wide)).toBeLessThanOrEqual(0);
        }
        const first = "document.querySelector('a, button, input, [tabindex]')";
        expect(await page.evaluate<string>(`${first}.textContent`)).toBe("Skip to content");
        await page.evaluate(`${first}.focus()`);
        await page.view.press("Enter");
        await page.until("document.activeElement.id === 'content'");
      },
      { width: 320, height: 256, media: { "forced-colors": "active" } },
    );
  });

  test("says without JavaScript what it is and that it needs it", async () => {
    await withPage(async (page) => {
      await page.view.cdp("Emulation.setScriptExecutionDisabled", { value: true });
      await page.goto(`${addressOf(server)}/home`);
      await page.view.cdp("Emulation.setScriptExecutionDisabled", { value: false });
      const said = await page.evaluate<string>("document.body.innerText");
      expect(said).toContain("Home");
      expect(said).toContain("It needs JavaScript to show yours.");
    });
  });
});
