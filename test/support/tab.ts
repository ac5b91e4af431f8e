import { describe, expect, test } from "bun:test";

/** What every engine does with the document, the keys and the pointer, in the words of Bun.WebView. */
export interface View {
  navigate(url: string): Promise<void>;
  reload(): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  click(selector: string, options?: { timeout?: number }): Promise<void>;
  click(x: number, y: number): Promise<void>;
  scrollTo(selector: string, options?: { block?: "nearest" }): Promise<void>;
  type(text: string): Promise<void>;
  press(key: string, options?: { modifiers?: ("Control" | "Shift")[] }): Promise<void>;
  resize(width: number, height: number): Promise<void>;
}

/** Each poll may lay out the page anew: shorter intervals cost more than they save. */
const POLL_INTERVAL_MS = 50;
/** What takes a tenth of a second alone takes many on a machine that is busy. */
const PATIENCE_MS = 40_000;

/** Runs a test in a tab of its own and expects that nothing went wrong in it. */
export type WithTab = (use: (tab: Tab) => Promise<void>) => Promise<void>;

const told = new Set<string>();

/**
 * A `describe` whose tests need a real browser. Without one they are skipped with one line that says
 * how to get it; where `CI` is set a missing one fails.
 */
export function describeIn(
  browser: { name: string; path: string | null | undefined; package: string },
  name: string,
  body: () => void,
) {
  if (browser.path) return describe(name, body);
  if (Bun.env["CI"]) {
    return test(`${name}: ${browser.name} is installed`, () => {
      throw new Error(`CI needs ${browser.name}: install Debian's package ${browser.package}.`);
    });
  }
  if (!told.has(browser.name)) {
    console.warn(
      `No ${browser.name}: its tests are skipped. On Debian: apt install ${browser.package}`,
    );
  }
  told.add(browser.name);
  return describe.skip(name, body);
}

/** Uses a tab, expects that nothing went wrong in it, and closes it. */
export async function useTab<T extends Tab>(tab: T, use: (tab: T) => Promise<void>) {
  try {
    await use(tab);
    expect(tab.complaints).toEqual([]);
  } finally {
    await tab.close();
  }
}

/** A tab of a real browser, of whichever engine, that remembers what went wrong. */
export abstract class Tab implements AsyncDisposable {
  /** Console errors, uncaught exceptions and what the browser itself complained about. */
  readonly complaints: string[] = [];
  abstract readonly view: View;

  abstract setCookie(name: string, value: string, url: string): Promise<void>;
  /** Forgets the cookies of an address; returns how many there were. */
  abstract dropCookies(url: string): Promise<number>;
  abstract print(): Promise<Uint8Array>;
  abstract close(): Promise<void>;
  [Symbol.asyncDispose] = () => this.close();
  /** Chooses files for the field that is marked. */
  protected abstract setFiles(files: string[]): Promise<void>;

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
      // A menu follows its button a frame later.
      await this.evaluate(
        `document.querySelector(":popover-open [data-test-target]") && (async () => {
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      })()`,
      ).catch(ignoreNavigation);
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

  async choose(label: string, ...files: string[]): Promise<void> {
    await this.mark(`(${FIND_BY_LABEL})(${JSON.stringify(label)})`);
    await this.setFiles(files);
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
}

/** The page may go elsewhere, by a click or by itself, before it has answered. */
export function ignoreNavigation(error: unknown): void {
  if (!String(error).includes("target navigated")) throw error;
}

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
