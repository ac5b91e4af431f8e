import { Page } from "../../support/chromium.ts";

/** Milliseconds from the start of a navigation; `interactive` is the first click that is answered. */
export interface Paint {
  first: number;
  heading: number;
  interactive: number;
}

/** The phone of the issue: 562 ms, 1.44 Mbit/s, a processor four times slower. */
const LATENCY = 562;
const BYTES_PER_SECOND = 1_440_000 / 8;
const SLOWER = 4;

/** Milliseconds until a click is tried again: each costs the slow processor some of its time. */
const PATIENCE = 60;

const WATCH = `{
  const look = () => {
    const heading = document.querySelector("main h1");
    if (heading?.checkVisibility()) requestAnimationFrame(() => { globalThis.headingAt ??= performance.now(); });
    else requestAnimationFrame(look);
  };
  look();
  addEventListener("click", (event) => {
    if (event.isTrusted && event.defaultPrevented) globalThis.answeredAt ??= event.timeStamp;
    // A click that nothing handles would load the page anew: it is held back, and counts for nothing.
    event.preventDefault();
  });
}`;

/** A page of a profile of its own as far as the network goes: throttled, its cache empty. */
export async function openThrottled(): Promise<Page> {
  const page = await Page.open({ before: WATCH });
  await page.view.cdp("Network.clearBrowserCache", {});
  await page.view.cdp("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await page.view.cdp("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return page;
}

/** Loads a URL and clicks the logo's link from the first paint on, until a click is answered. */
export async function measurePaint(page: Page, url: string): Promise<Paint> {
  await page.view.navigate("about:blank");
  const loaded = page.goto(url).catch(() => undefined);
  await page.until("location.href !== 'about:blank' && document.querySelector('nav a')", 30_000);
  const [x, y] = await page.evaluate<[number, number]>(
    "(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector('nav a').getBoundingClientRect())",
  );
  const mouse = { x, y, button: "left", clickCount: 1 };
  do {
    await page.view.cdp("Input.dispatchMouseEvent", { ...mouse, type: "mousePressed" });
    await page.view.cdp("Input.dispatchMouseEvent", { ...mouse, type: "mouseReleased" });
    await Bun.sleep(PATIENCE);
  } while (!(await page.evaluate<boolean>("'answeredAt' in globalThis")));
  await page.until("globalThis.headingAt", 30_000);
  await loaded;
  return page.evaluate<Paint>(`({
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    heading: globalThis.headingAt,
    interactive: globalThis.answeredAt,
  })`);
}
