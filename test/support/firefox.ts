import { afterAll, beforeAll } from "bun:test";
import { describeInChromium, withPage } from "./chromium.ts";
import { describeIn, Tab, useTab, type View, type WithTab } from "./tab.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

const PATH = ["firefox-esr", "firefox"].map((name) => Bun.which(name)).find(Boolean);

/** Keys that write nothing, as WebDriver names them. */
const KEYS: Record<string, string> = {
  ArrowDown: "\uE015",
  Delete: "\uE017",
  Enter: "\uE007",
  Escape: "\uE00C",
  Control: "\uE009",
  Shift: "\uE008",
  Space: " ",
  Tab: "\uE004",
};

/** What only takes processor time: processes for tabs that never come, what starts beside them, frames. */
const PREFERENCES: [name: string, value: boolean | number][] = [
  ["browser.newtab.preload", false],
  ["browser.startup.page", 0],
  ["dom.ipc.processCount", 1],
  ["dom.ipc.processPrelaunch.enabled", false],
  ["fission.autostart", false],
  ["javascript.options.ion", false],
  ["layout.frame_rate", 20],
];

/** What WebDriver BiDi sends: the answer to a command, or an event. */
type Message =
  | { type: "success"; id: number; result: unknown }
  | { type: "error"; id: number; error: string; message: string }
  | { type: "event"; method: string; params: unknown };

/** https://w3c.github.io/webdriver-bidi/#type-log-Entry, of one tab. */
interface LogEntry {
  level: string;
  text: string;
  source: { context?: string };
  stackTrace?: { callFrames: { url: string; lineNumber: number }[] };
}

/**
 * A `describe` whose tests run in Chromium and in Firefox, which is started once for all of them; see
 * `describeIn`.
 */
export function describeInBrowsers(name: string, body: (withTab: WithTab) => void) {
  describeInChromium(`${name}, in Chromium`, () => body(withPage));
  const firefox = { name: "Firefox", path: PATH, package: "firefox-esr" };
  describeIn(firefox, `${name}, in Firefox`, () => {
    let started: Firefox;
    beforeAll(async () => {
      started = await Firefox.start();
    });
    afterAll(() => started.close());
    body(async (use) => useTab(await started.open(), use));
  });
}

/** A Firefox with a profile of its own, and the connection that drives it. */
class Firefox {
  readonly #stack: AsyncDisposableStack;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #tabs = new Map<string, FirefoxTab>();
  #count = 0;

  private constructor(stack: AsyncDisposableStack, socket: WebSocket) {
    this.#stack = stack;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(String(data))));
    socket.addEventListener("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Firefox has ended"));
    });
  }

  static async start(): Promise<Firefox> {
    await using stack = new AsyncDisposableStack();
    const { path } = stack.use(createTemporaryFolder());
    await Bun.write(
      `${path}/user.js`,
      PREFERENCES.map((each) => `user_pref(${JSON.stringify(each).slice(1, -1)});`).join("\n"),
    );
    const child = Bun.spawn(
      [PATH ?? "", "--headless", "--remote-debugging-port", "0", "--profile", path],
      { env: { ...process.env, HOME: path, TMPDIR: path }, stdio: ["ignore", "ignore", "pipe"] },
    );
    stack.defer(async () => {
      child.kill();
      await child.exited;
    });
    const socket = new WebSocket(`${await readAddress(child.stderr)}/session`);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const firefox = new Firefox(stack.move(), socket);
    // A form that was begun asks before it is left.
    const unhandledPromptBehavior = { default: "accept" };
    await firefox.send("session.new", {
      capabilities: { alwaysMatch: { unhandledPromptBehavior } },
    });
    await firefox.send("session.subscribe", { events: ["log.entryAdded"] });
    return firefox;
  }

  async send<T>(method: string, params: Record<string, unknown>): Promise<T> {
    const id = (this.#count += 1);
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params }));
    // What comes back is what the protocol says of this command.
    return (await waiting.promise) as T;
  }

  #hear(message: Message) {
    if (message.type === "event") {
      if (message.method !== "log.entryAdded") return;
      const entry = message.params as LogEntry;
      if (entry.level === "error") this.#tabs.get(entry.source.context ?? "")?.complain(entry);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === "success") waiting?.resolve(message.result);
    else waiting?.reject(new Error(`${message.error}: ${message.message}`));
  }

  async open(): Promise<FirefoxTab> {
    const { context } = await this.send<{ context: string }>("browsingContext.create", {
      type: "tab",
    });
    const tab = new FirefoxTab((method, params) =>
      this.send(method, { context, target: { context }, ...params }),
    );
    this.#tabs.set(context, tab);
    await tab.view.resize(1280, 800);
    return tab;
  }

  async close() {
    await this.send("browser.close", {});
    await this.#stack.disposeAsync();
  }
}

/** Reads what Firefox says until it has said where it listens. */
async function readAddress(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let said = "";
  for await (const chunk of stream) {
    said += decoder.decode(chunk, { stream: true });
    const [, address] = /listening on (ws:\S+)\n/.exec(said) ?? [];
    if (address) return address;
  }
  throw new Error(`Firefox did not start: ${said}`);
}

/** The answer to script.evaluate. */
interface Evaluated {
  result?: { value?: string };
  exceptionDetails?: { text: string };
}

/** Sends a command about one tab. */
type Send = <T>(method: string, params?: Record<string, unknown>) => Promise<T>;

class FirefoxTab extends Tab {
  readonly view: FirefoxView;
  readonly #send: Send;

  constructor(send: Send) {
    super();
    this.#send = send;
    this.view = new FirefoxView(send);
  }

  complain({ text, stackTrace }: LogEntry) {
    const [frame] = stackTrace?.callFrames ?? [];
    this.complaints.push(frame ? `${text} ${frame.url}:${frame.lineNumber}` : text);
  }

  async setCookie(name: string, value: string, url: string): Promise<void> {
    const cookie = { name, value: { type: "string", value }, domain: new URL(url).hostname };
    await this.#send("storage.setCookie", { cookie });
  }

  async dropCookies(url: string): Promise<number> {
    const filter = { domain: new URL(url).hostname };
    const { cookies } = await this.#send<{ cookies: unknown[] }>("storage.getCookies", { filter });
    await this.#send("storage.deleteCookies", { filter });
    return cookies.length;
  }

  async print(): Promise<Uint8Array> {
    const { data } = await this.#send<{ data: string }>("browsingContext.print");
    return Uint8Array.fromBase64(data);
  }

  async close(): Promise<void> {
    await this.#send("browsingContext.close");
  }

  protected async setFiles(files: string[]): Promise<void> {
    const locator = { type: "css", value: "[data-test-target]" };
    type Found = { nodes: unknown[] };
    const { nodes } = await this.#send<Found>("browsingContext.locateNodes", { locator });
    await this.#send("input.setFiles", { element: nodes[0], files });
  }
}

class FirefoxView implements View {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async navigate(url: string): Promise<void> {
    await this.#send("browsingContext.navigate", { url, wait: "complete" });
  }

  async reload(): Promise<void> {
    await this.#send("browsingContext.reload", { wait: "complete" });
  }

  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send<Evaluated>("script.evaluate", {
      expression: `(async () => JSON.stringify(await (${expression})))()`,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    // What a page answers is JSON of the shape that the expression makes.
    return (result?.value && JSON.parse(result.value)) as T;
  }

  async scrollTo(selector: string, { block = "center" }: { block?: string } = {}): Promise<void> {
    await this.evaluate(
      `document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: "${block}" })`,
    );
  }

  click(selector: string): Promise<void>;
  click(x: number, y: number): Promise<void>;
  async click(at: string | number, y = 0): Promise<void> {
    const point = typeof at === "number" ? { x: at, y } : await this.#middleOf(at);
    await this.#act("pointer", [
      { type: "pointerMove", ...point },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ]);
  }

  /** The middle of an element, once it has rested for a frame. */
  async #middleOf(selector: string): Promise<object> {
    await this.scrollTo(selector, { block: "nearest" });
    return this.evaluate(`(async () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      for (let before = ""; ; ) {
        const { x, y, width, height } = element.getBoundingClientRect();
        const now = { x: Math.floor(x + width / 2), y: Math.floor(y + height / 2) };
        if (JSON.stringify(now) === before) return now;
        before = JSON.stringify(now);
        await new Promise(requestAnimationFrame);
      }
    })()`);
  }

  async type(text: string): Promise<void> {
    await this.#act("key", [...text].flatMap(stroke));
  }

  async press(key: string, { modifiers = [] }: { modifiers?: string[] } = {}): Promise<void> {
    const held = modifiers.map(valueOf);
    await this.#act("key", [
      ...held.map((value) => ({ type: "keyDown", value })),
      ...stroke(valueOf(key)),
      ...held.map((value) => ({ type: "keyUp", value })),
    ]);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#send("browsingContext.setViewport", { viewport: { width, height } });
  }

  async #act(type: "key" | "pointer", actions: object[]): Promise<void> {
    await this.#send("input.performActions", { actions: [{ type, id: type, actions }] });
  }
}

const valueOf = (key: string) => KEYS[key] ?? key;

const stroke = (value: string) => [
  { type: "keyDown", value },
  { type: "keyUp", value },
];
