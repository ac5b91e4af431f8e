import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { keepClick } from "../../src/client/keep-click.ts";

const PAGE = `
  <nav>
    <a href="#content">Skip</a> <a href="/">Logo</a> <a href="/domains">Domains</a>
    <a href="/home">Here</a> <a href="https://elsewhere.test/">Elsewhere</a> <p>Text</p>
  </nav>
  <main><a href="/domains?all">All domains</a></main>
  <div class="progress-bar" hidden></div>`;

let release: () => void;

/** Clicks as a pointer does; says whether the browser would have done what it does. */
function click(selector: string, init: MouseEventInit = {}): boolean {
  const target = document.querySelector(selector);
  if (!target) throw new Error(`Expected ${selector}.`);
  let left = false;
  const look = (event: Event) => {
    left = !event.defaultPrevented;
    event.preventDefault();
  };
  addEventListener("click", look, { once: true });
  target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
  return left;
}

const isBusy = () => document.querySelector(".progress-bar")?.hasAttribute("hidden") === false;

/** The links that are clicked from now on, by href. */
function listen(): (string | null)[] {
  const clicked: (string | null)[] = [];
  for (const link of document.querySelectorAll("a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      clicked.push(link.getAttribute("href"));
    });
  }
  return clicked;
}

beforeEach(() => {
  history.replaceState(null, "", "/home");
  document.body.innerHTML = PAGE;
  release = keepClick();
});
afterEach(() => {
  release();
  document.body.replaceChildren();
});

describe("keepClick", () => {
  test("keeps a click on a link, shows it, and gives the last one to the application", () => {
    expect(click('[href="/domains"]')).toBe(false);
    expect(click('[href="/"]')).toBe(false);
    expect(isBusy()).toBe(true);
    const clicked = listen();
    release();
    expect(clicked).toEqual(["/"]);
    expect(isBusy()).toBe(false);
  });

  test.each([
    ["to a place on the page", '[href="#content"]', {}],
    ["to another site", '[href^="https:"]', {}],
    ["that opens another tab", '[href="/domains"]', { ctrlKey: true }],
    ["of the middle button", '[href="/domains"]', { button: 1 }],
    ["on no link", "p", {}],
    ["on a link of the content", "main a", {}],
  ])("leaves a click %s to the browser", (_, selector, init) => {
    expect(click(selector, init)).toBe(true);
    const clicked = listen();
    release();
    expect(clicked).toEqual([]);
    expect(isBusy()).toBe(false);
  });

  test("takes a link to the page itself for answered when the application is there", () => {
    expect(click('[href="/home"]')).toBe(false);
    const clicked = listen();
    release();
    expect(clicked).toEqual([]);
  });

  test("keeps nothing once it has let go", () => {
    release();
    expect(click('[href="/domains"]')).toBe(true);
  });
});
