import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, Page, withPage } from "../support/chromium.ts";
import { addressOf, setUpOwner } from "../support/owner.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

let server: ServerProcess;
let address = "";

describeInChromium("the page", () => {
  beforeAll(async () => {
    server = await startServer();
    address = addressOf(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("redirects `/` to `/home`, and shows bar, content and footer there, in both schemes", async () => {
    await withPage(async (page) => {
      await page.goto("about:blank");
      const before = await page.evaluate<number>("history.length");
      await page.goto(`${address}/`);
      await page.until("location.pathname === '/home'");
      await page.shows("Create the owner account");
      expect(await page.evaluate<number>("history.length")).toBe(before + 1);
      expect(await page.evaluate<string>("document.title")).toBe("Home · Freehold");

      const found = await page.evaluate<unknown>(`({
        order: [...document.querySelectorAll("nav, main, footer")].map((e) => e.localName),
        links: [...document.querySelectorAll("nav a")].map((e) => e.getAttribute("href")),
        top: document.querySelector("nav").getBoundingClientRect().top,
        root: [...document.getElementById("root").children].every((e) => e.closest("#root")),
      })`);
      expect(found).toEqual({ order: ["nav", "main", "footer"], links: ["/"], top: 0, root: true });

      for (const [width, scheme] of [
        [1280, "light"],
        [320, "dark"],
      ] as const) {
        await page.view.resize(width, 800);
        const features = [{ name: "prefers-color-scheme", value: scheme }];
        await page.view.cdp("Emulation.setEmulatedMedia", { features });
        const box = "document.querySelector('nav a svg').getBoundingClientRect()";
        expect(
          await page.evaluate<unknown>(`(({ width, height }) => [width, height])(${box})`),
        ).toEqual([200, 60]);
        await expectAccessible(page);
      }

      const line = "getComputedStyle(document.querySelector('nav a')).textDecorationLine";
      await hover(page, 200, 400);
      expect(await page.evaluate<string>(line)).toBe("none");
      await hover(page, ...(await centreOf(page, "nav a")));
      expect(await page.evaluate<string>(line)).toBe("underline");

      await page.evaluate("void (location.hash = '#set-up=A%2FB%25')");
      // The link has brought the code: nobody is asked for it.
      await page.until("document.querySelector('[name=setUpCode]') === null");
      await page.until("location.hash === ''");
    });
  });

  test("says that it could not start, on the page and on the console", async () => {
    await using page = await Page.open({
      // In two places at once: each says so, and the second must not take the message away.
      before: `Object.defineProperty(Document.prototype, "title", { set() { throw Error("bang"); } });
        const listen = Document.prototype.addEventListener;
        let seen = 0;
        Document.prototype.addEventListener = function (type, ...given) {
          // The first is added when the code is loaded, the second by a component.
          if (type === "visibilitychange" && (seen += 1) > 1) throw Error("crash");
          listen.call(this, type, ...given);
        };`,
    });
    await page.goto(`${address}/home`);
    await page.shows("The application could not start.");
    expect(page.complaints.join()).toContain("The application could not start.");
    expect(page.complaints.join()).toContain("bang");
    expect(page.complaints.join()).toContain("crash");
    await expectAccessible(page);
  });

  test("says that it could not start when its code does not arrive", async () => {
    await using page = await Page.open();
    await page.view.cdp("Network.setBlockedURLs", { urls: ["*/start-*.js", "*/vendor-*.js"] });
    // It reloads once, which may come in the way of the navigation.
    await page.goto(`${address}/home`).catch(() => undefined);
    await page.shows("The application could not start.");
    expect(page.complaints.join()).toContain("The application could not start.");
  });

  test("loads the domains area on first use, not before, and opens its menu 900 px wide", async () => {
    await withPage(async (page) => {
      await page.goto(`${await setUpOwner(page, server)}/home`);
      await page.shows("Add your first domains");
      const domains = () => page.requests.filter((url) => /\/list-[^-/]*\.js/.test(url)).length;
      expect(domains()).toBe(0);
      await page.press("Add a domain");
      await page.until("document.querySelector('dialog[open]')");
      expect(domains()).toBe(1);
      await page.press("Cancel");
      // An empty register has nothing to filter.
      await page.evaluate("history.pushState(null, '', '/domains?q=none')");
      await page.press("Filter");
      await page.until("document.querySelector(':popover-open')");
      const width = "document.querySelector(':popover-open').getBoundingClientRect().width";
      expect(await page.evaluate<number>(width)).toBe(900);

      await page.view.resize(360, 740);
      expect(await page.evaluate<number>(width)).toBeLessThanOrEqual(360);
      const overflow =
        "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0);
    });
  });
});

async function hover(page: Page, x: number, y: number) {
  await page.view.cdp("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
}

async function centreOf(page: Page, selector: string): Promise<[number, number]> {
  return page.evaluate(`(({ x, y, width, height }) => [x + width / 2, y + height / 2])(
    document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
}
