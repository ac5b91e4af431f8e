import "./ui/tokens.css";
import "./ui/base.css";
import "./shell/start-failure.css";
// After the styles that theirs build upon.
import { areas } from "./areas.ts";
import { askAhead } from "./ask-ahead.ts";
import { keepClick } from "./keep-click.ts";

/** Milliseconds after a reload in which there is no other. */
const GUARD = 600_000;

/**
 * Where code is missing the page is loaded anew, as after a deploy that took the old files away. A
 * page that was just reloaded stays, and says what is wrong: never a loop.
 */
addEventListener("code-missing", (event) => {
  const [load] = performance.getEntriesByType("navigation");
  const reloaded = load instanceof PerformanceNavigationTiming && load.type === "reload";
  if (reloaded && performance.now() < GUARD) return;
  event.preventDefault();
  location.reload();
});

/**
 * Starts the application. It comes apart from what it starts, so that a failure anywhere in there,
 * a script that did not arrive included, is written to the console and said on the page.
 */
const releaseClick = keepClick();
try {
  const ahead = askAhead();
  await firstPaint();
  const { start } = await import("./start.tsx");
  start(areas, ahead, fail);
} catch (error) {
  if (dispatchEvent(new Event("code-missing", { cancelable: true }))) fail(error);
}
releaseClick();

/** Scripts that are in the cache would run before the page is painted. A hidden one never is. */
function firstPaint() {
  if (performance.getEntriesByType("paint").length > 0) return null;
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
}

function fail(error: unknown) {
  console.error("The application could not start.", error);
  const template = document.querySelector<HTMLTemplateElement>("#start-failure");
  let main = document.querySelector("main");
  if (!main) document.body.prepend((main = document.createElement("main")));
  main.replaceChildren(template?.content.cloneNode(true) ?? "");
  main.querySelector("button")?.addEventListener("click", () => location.reload());
}
