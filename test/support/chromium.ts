import { describe, expect, test } from "bun:test";

/** Debian's `chromium` is a script that turns on GPU rasterization: a fifth slower without a GPU. */
const DEBIAN = "/usr/lib/chromium/chromium";
const NAMES = [
  DEBIAN,
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];
const ARGV = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-extensions",
  // One renderer for all tabs: each new one costs half a second of processor time.
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
];

const path = Bun.env["BUN_CHROME_PATH"] ?? NAMES.map((name) => Bun.which(name)).find(Boolean);
/** Each poll may lay out the page anew: shorter intervals cost more than they save. */
const POLL_INTERVAL_MS = 50;
/** What takes a tenth of a second alone takes many on a machine that is busy. */
const PATIENCE_MS = 40_000;

let told = false;

/**
 * A `describe` whose tests need a real Chromium. Without one they are skipped with one line that
 * says how to get it; where `CI` is set a missing one fails.
 */
export function describeInChromium(name: string, body: () => void) {
  if (path) return describe(name, body);
  if (Bun.env["CI"]) {
    return test(`${name}: Chromium is installed`, () => {
      throw new Error("CI needs Chromium: install Debian's package `chromium`.");
    });
  }
  if (!told)
    console.warn("No Chromium: browser tests are skipped. On Debian: apt install chromium");
  told = true;
  return describe.skip(name, body);
}

export interface PageOptions {
  width?: number;
  height?: number;
  /** Runs in every document before its own scripts. */
  before?: string;
  /** What the page is told that the person prefers, such as `{ "prefers-color-scheme": "dark" }`. */
  media?: Record<string, string>;
}

/** What a test may have changed about a tab: as it is in a new one. */
const RESETS: [method: string, params: Record<string, unknown>][] = [
  ["Emulation.clearDeviceMetricsOverride", {}],
  ["Emulation.setEmulatedMedia", { media: "", features: [] }],
  ["Emulation.setTouchEmulationEnabled", { enabled: false }],
  ["Network.setCacheDisabled", { cacheDisabled: false }],
  ["Network.setBlockedURLs", { urls: [] }],
  [
    "Network.emulateNetworkConditions",
    { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  ],
];

/** A tab of a real Chromium that remembers what went wrong and what was asked for. */
export class Page {
  /** Tabs that no test uses: a new one costs a third of a second of processor time. */
  static readonly #free: Page[] = [];

  /** Console errors, uncaught exceptions and what the browser itself complained about. */
  readonly complaints: string[];
  /** Every URL that was requested, in order. */
  readonly requests: string[] = [];
  readonly view: Bun.WebView;
  /** Takes back what was added for one test. */
  #added = new AsyncDisposableStack();

  private constructor(view: Bun.WebView, complaints: string[]) {
    this.view = view;
    this.complaints = complaints;
  }

  static async open(options: PageOptions = {}): Promise<Page> {
    const { width = 1280, height = 800, before, media } = options;
    const page = Page.#free.pop() ?? (await Page.create());
    await page.view.resize(width, height);
    if (before) {
      const source = { source: before };
      type Added = { identifier: string };
      const added = await page.view.cdp<Added>("Page.addScriptToEvaluateOnNewDocument", source);
      page.#added.defer(() =>
        page.view.cdp("Page.removeScriptToEvaluateOnNewDocument", { ...added }),
      );
    }
    if (media) {
      const features = Object.entries(media).map(([name, value]) => ({ name, value }));
      await page.view.cdp("Emulation.setEmulatedMedia", { features });
    }
    return page;
  }

  private static async create(): Promise<Page> {
    const complaints: string[] = [];
    const view = new Bun.WebView({
      width: 1280,
      height: 800,
      backend: { type: "chrome", argv: ARGV, ...(path ? { path } : {}) },
      console: (type: string, ...args: unknown[]) => {
        if (type === "error" || type === "assert")
          complaints.push(args.map(describeValue).join(" "));
      },
    });
    const page = new Page(view, complaints);
    // The first navigation opens the DevTools session that everything else needs.
    await view.navigate("about:blank");
    await page.listen();
    return page;
  }

  private async listen() {
    for (const domain of ["Network", "Log", "Runtime"]) await this.view.cdp(`${domain}.enable`);
    this.listenTo("Network.requestWillBeSent", (data) =>
      this.requests.push(text(data, "request", "url")),
    );
    this.listenTo("Log.entryAdded", (data) => {
      if (text(data, "entry", "level") !== "error") return;
      this.complaints.push(`${text(data, "entry", "text")} ${text(data, "entry", "url")}`);
    });
    this.listenTo("Runtime.exceptionThrown", (data) => {
      this.complaints.push(text(data, "exceptionDetails", "exception", "description"));
    });
  }

  private listenTo(event: string, listener: (data: unknown) => void): () => void {
    const heard = (given: Event) => listener("data" in given ? given.data : undefined);
    this.view.addEventListener(event, heard);
    return () => this.view.removeEventListener(event, heard);
  }

  /** Calls back with the data of a DevTools event. */
  on(event: string, listener: (data: unknown) => void) {
    this.#added.defer(this.listenTo(event, listener));
  }

  async goto(url: string | URL) {
    await this.view.navigate(String(url)).catch(ignoreNavigation);
  }

  /** Resolves once the page has another document: what is waited for next is not of the old one. */
  async reload() {
    await this.evaluate("window.isLeft = true");
    await this.view.reload().catch(ignoreNavigation);
    await this.until("!window.isLeft && document.body");
  }

  /** Evaluates an expression in the page; `await` is implied. The caller says what comes back. */
  async evaluate<T>(expression: string): Promise<T> {
    const value: unknown = await this.view.evaluate(expression);
    // What a page answers is JSON of the shape that the test's own expression makes.
    return value as T;
  }

  /** Waits until an expression is truthy in the page; says what the page showed if it never is. */
  async until(expression: string, milliseconds = PATIENCE_MS): Promise<void> {
    const end = Date.now() + milliseconds;
    while (Date.now() < end) {
      if (await this.evaluate(`!!(${expression})`).catch(() => false)) return;
      await Bun.sleep(POLL_INTERVAL_MS);
    }
    const shown = await this.evaluate<string>("document.body?.innerText ?? ''").catch(String);
    throw new Error(`Waited ${milliseconds} ms in vain for ${expression}. Shown:\n${shown}`);
  }

  /** Waits until the page shows a text. */
  async shows(content: string): Promise<void> {
    await this.until(`document.body.innerText.includes(${JSON.stringify(content)})`);
  }

  /**
   * Clicks, with a real pointer, the visible link, button or tab of this accessible name. What comes late
   * may move it away from under the pointer: then it is clicked where it is now.
   */
  async press(name: string): Promise<void> {
    const find = `(${FIND_BY_NAME})(${JSON.stringify(name)})`;
    const end = Date.now() + PATIENCE_MS;
    let isMissed = true;
    while (isMissed && Date.now() < end) {
      await this.mark(find);
      await this.evaluate(`void (window.isMissed = true, addEventListener("click", ({ target }) => {
        window.isMissed = !${find}?.contains(target);
      }, { capture: true, once: true }))`);
      await this.view.scrollTo("[data-test-target]", { block: "nearest" }).catch(ignoreNavigation);
      await this.view.click("[data-test-target]", { timeout: PATIENCE_MS }).catch(ignoreNavigation);
      isMissed = await this.evaluate<boolean>("window.isMissed === true").catch(() => false);
    }
    if (isMissed) throw new Error(`Something covers “${name}”: clicks do not reach it.`);
  }

  /** Puts text into the field with this label, as a person would: focus, select all, type. */
  async fill(label: string, value: string): Promise<void> {
    await this.mark(`(${FIND_BY_LABEL})(${JSON.stringify(label)})`);
    await this.view.scrollTo("[data-test-target]");
    await this.evaluate(
      "(e => { e.focus(); e.select?.(); })(document.querySelector('[data-test-target]'))",
    );
    if (value === "") await this.view.press("Delete");
    else await this.view.type(value);
  }

  /** Chooses files on this machine in the file field with this label. */
  async choose(label: string, ...files: string[]): Promise<void> {
    await this.mark(`(${FIND_BY_LABEL})(${JSON.stringify(label)})`);
    const { result } = await this.view.cdp<{ result: { objectId: string } }>("Runtime.evaluate", {
      expression: "document.querySelector('[data-test-target]')",
    });
    await this.view.cdp("DOM.setFileInputFiles", { objectId: result.objectId, files });
  }

  /** Marks the element that an expression finds, once there is one. */
  private async mark(expression: string): Promise<void> {
    await this.until(`(() => {
      const found = ${expression};
      document.querySelector("[data-test-target]")?.removeAttribute("data-test-target");
      found?.setAttribute("data-test-target", "");
      return found;
    })()`);
  }

  /** Gives the tab back as it would be if it were new; one that cannot be mended is closed. */
  async close() {
    try {
      await this.#added.disposeAsync();
      this.#added = new AsyncDisposableStack();
      // A form that was begun asks before it is left.
      this.on("Page.javascriptDialogOpening", () => {
        void this.view.cdp("Page.handleJavaScriptDialog", { accept: true });
      });
      for (const [method, params] of RESETS) await this.view.cdp(method, params);
      await this.evaluate(FORGET).catch(() => undefined);
      await this.goto("about:blank");
      await this.view.cdp("Page.resetNavigationHistory");
      await this.#added.disposeAsync();
      this.#added = new AsyncDisposableStack();
      this.complaints.length = 0;
      this.requests.length = 0;
      Page.#free.push(this);
    } catch {
      this.view.close();
    }
  }
}

/** The page may go elsewhere, by a click or by itself, before it has answered. */
function ignoreNavigation(error: unknown): void {
  if (!String(error).includes("target navigated")) throw error;
}

/** Opens a page for the length of `use` and expects that nothing went wrong in it. */
export async function withPage(use: (page: Page) => Promise<void>, options?: PageOptions) {
  const page = await Page.open(options);
  try {
    await use(page);
    expect(page.complaints).toEqual([]);
  } finally {
    await page.close();
  }
}

/** Empties what a tab keeps of an address, and keeps it empty while the page is left. */
const FORGET = `(() => {
  Storage.prototype.setItem = () => undefined;
  sessionStorage.clear();
})()`;

const VISIBLE = `(e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest("[inert]")`;

const FIND_BY_NAME = `(name) => {
  const visible = ${VISIBLE};
  const scope = document.querySelector("dialog[open]:modal") ?? document;
  const named = (e) => (e.getAttribute("aria-label") ?? e.innerText ?? "").replace(/\\s+/g, " ").trim() === name;
  return [...scope.querySelectorAll("button, a[href], summary, [role=button], [role=tab]")]
    .find((e) => visible(e) && named(e));
}`;

const FIND_BY_LABEL = `(label) => {
  const visible = ${VISIBLE};
  const scope = document.querySelector("dialog[open]:modal") ?? document;
  const names = (e) => [e.getAttribute("aria-label"), ...[...(e.labels ?? [])].map((l) => l.innerText)];
  return [...scope.querySelectorAll("input, textarea, select")]
    .find((e) => visible(e) && names(e).some((n) => n?.trim() === label));
}`;

function describeValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return "description" in value ? String(value.description) : JSON.stringify(value);
}

/** The text at a path of names in untrusted data; empty where there is none. */
function text(data: unknown, ...names: string[]): string {
  let value = data;
  for (const name of names) {
    if (typeof value !== "object" || value === null) return "";
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return typeof value === "string" ? value : "";
}
