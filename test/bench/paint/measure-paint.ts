import { Page } from "../../support/chromium.ts";

/**
 * Milliseconds from the start of a navigation. `largest` is the largest contentful paint before the
 * first click, at which browsers stop looking for it; `answered` is the first click that is.
 */
export interface Paint {
  first: number;
  largest: number;
  heading: number;
  answered: number;
}

/** The phone of the issue: 562 ms, 1.44 Mbit/s, a processor four times slower. */
const LATENCY = 562;
const BYTES_PER_SECOND = 1_440_000 / 8;
const SLOWER = 4;

/** Milliseconds until a click is tried again: each costs the slow processor some of its time. */
const PATIENCE = 60;
/** Milliseconds for a click to be answered, and for what is painted after it. */
const LONGEST = 15_000;

/**
 * A click on a link is answered when the router prevents the browser's own navigation, one on the
 * checkbox when the password can be read. What nothing answers counts for nothing.
 */
const WATCH = `{
  const look = () => {
    const heading = document.querySelector("main h1");
    if (heading?.checkVisibility()) requestAnimationFrame(() => { globalThis.headingAt ??= performance.now(); });
    else requestAnimationFrame(look);
  };
  look();
  new PerformanceObserver((list) => { globalThis.largestAt = list.getEntries().at(-1).startTime; })
    .observe({ type: "largest-contentful-paint", buffered: true });
  addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    const { timeStamp, defaultPrevented } = event;
    const link = event.target.closest("a");
    if (link) event.preventDefault();
    setTimeout(() => {
      const answered = link ? defaultPrevented : document.querySelector("main [name=password][type=text]");
      if (answered) globalThis.answeredAt ??= timeStamp;
    });
  });
}`;

const FIRST = `performance.getEntriesByName("first-contentful-paint")[0]`;

/** A page of a profile of its own as far as the network goes: throttled, its cache empty. */
export async function openThrottled(cookies: Iterable<[string, string]>, url: string) {
  const page = await Page.open({ before: WATCH });
  await page.view.cdp("Network.clearBrowserCache", {});
  await page.view.cdp("Network.clearBrowserCookies", {});
  for (const [name, value] of cookies) {
    await page.view.cdp("Network.setCookie", { name, value, url });
  }
  await page.view.cdp("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await page.view.cdp("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return page;
}

/**
 * Loads a URL and clicks what `selector` finds from when it shows on, until a click is answered.
 *
 * @throws {Error} Where none is, or the page never shows its heading.
 */
export async function measurePaint(page: Page, url: string, selector: string): Promise<Paint> {
  await page.view.navigate("about:blank");
  const loaded = page.goto(url).catch(() => undefined);
  const look = `"answeredAt" in globalThis ? "answered" : (() => {
    const box = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
    return location.href !== "about:blank" && box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
  })()`;
  const end = Date.now() + LONGEST;
  for (;;) {
    const seen = await page.evaluate<"answered" | [number, number] | null>(look).catch(() => null);
    if (seen === "answered") break;
    if (Date.now() > end) throw new Error(`No click on ${selector} was answered on ${url}.`);
    if (seen) await click(page, ...seen);
    await Bun.sleep(seen ? PATIENCE : 5);
  }
  await page.until(`globalThis.headingAt && globalThis.largestAt && ${FIRST}`, LONGEST);
  await loaded;
  return page.evaluate<Paint>(`({
    first: ${FIRST}.startTime,
    largest: globalThis.largestAt,
    heading: globalThis.headingAt,
    answered: globalThis.answeredAt,
  })`);
}

async function click(page: Page, x: number, y: number) {
  const mouse = { x, y, button: "left", clickCount: 1 };
  await page.view.cdp("Input.dispatchMouseEvent", { ...mouse, type: "mousePressed" });
  await page.view.cdp("Input.dispatchMouseEvent", { ...mouse, type: "mouseReleased" });
}
