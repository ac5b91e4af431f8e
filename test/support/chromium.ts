import { describeIn, Tab, useTab } from "./tab.ts";

/** Debian's `chromium` is a script that turns on GPU rasterization: a fifth slower without a GPU. */
const DEBIAN = "/usr/lib/chromium/chromium";
const NAMES = "chromium chromium-browser google-chrome-stable google-chrome chrome".split(" ");
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
  // No page runs for as long as V8's slower compilers, and its helpers for garbage, take to pay off.
  "--js-flags=--no-maglev,--no-turbofan,--single-threaded-gc",
];

const path =
  Bun.env["BUN_CHROME_PATH"] ?? [DEBIAN, ...NAMES].map((name) => Bun.which(name)).find(Boolean);

/** A `describe` whose tests need a real Chromium; see `describeIn`. */
export const describeInChromium = (name: string, body: () => void) =>
  describeIn({ name: "Chromium", path, package: "chromium" }, name, body);

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
  ["Emulation.setTimezoneOverride", { timezoneId: "" }],
  ["Emulation.setLocaleOverride", {}],
  ["Network.setCacheDisabled", { cacheDisabled: false }],
  ["Network.setBlockedURLs", { urls: [] }],
  [
    "Network.emulateNetworkConditions",
    { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  ],
];

export class Page extends Tab {
  /** Tabs that no test uses: a new one costs a third of a second of processor time. */
  static readonly #free: Page[] = [];

  readonly requests: string[] = [];
  readonly view: Bun.WebView;
  /** Takes back what was added for one test. */
  #added = new AsyncDisposableStack();

  private constructor() {
    super();
    this.view = new Bun.WebView({
      width: 1280,
      height: 800,
      backend: { type: "chrome", argv: ARGV, ...(path ? { path } : {}) },
      console: (type: string, ...args: unknown[]) => {
        if (type === "error" || type === "assert")
          this.complaints.push(args.map(describeValue).join(" "));
      },
    });
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
    const page = new Page();
    // The first navigation opens the DevTools session that everything else needs.
    await page.view.navigate("about:blank");
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

  on(event: string, listener: (data: unknown) => void) {
    this.#added.defer(this.listenTo(event, listener));
  }

  async setCookie(name: string, value: string, url: string): Promise<void> {
    await this.view.cdp("Network.setCookie", { name, value, url });
  }

  async dropCookies(url: string): Promise<number> {
    type Answer = { cookies: { name: string }[] };
    const { cookies } = await this.view.cdp<Answer>("Network.getCookies", { urls: [url] });
    for (const { name } of cookies) await this.view.cdp("Network.deleteCookies", { name, url });
    return cookies.length;
  }

  async print(): Promise<Uint8Array> {
    const { data } = await this.view.cdp<{ data: string }>("Page.printToPDF", {});
    return Uint8Array.fromBase64(data);
  }

  protected async setFiles(files: string[]): Promise<void> {
    const { result } = await this.view.cdp<{ result: { objectId: string } }>("Runtime.evaluate", {
      expression: "document.querySelector('[data-test-target]')",
    });
    await this.view.cdp("DOM.setFileInputFiles", { objectId: result.objectId, files });
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

/** Opens a page for the length of `use` and expects that nothing went wrong in it. */
export async function withPage(use: (page: Page) => Promise<void>, options?: PageOptions) {
  await useTab(await Page.open(options), use);
}

/** Empties what a tab keeps of an address, and keeps it empty while the page is left. */
const FORGET = `(() => {
  Storage.prototype.setItem = () => undefined;
  sessionStorage.clear();
})()`;

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

/** Gives a page a device of its own that keeps passkeys and asks nothing. */
export async function addAuthenticator({ view }: Page): Promise<{ authenticatorId: string }> {
  await view.cdp("WebAuthn.enable", {});
  const isAble = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  const options = { protocol: "ctap2", transport: "internal", ...isAble };
  return view.cdp("WebAuthn.addVirtualAuthenticator", { options });
}
