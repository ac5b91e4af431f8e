import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/patterns.css";
import "./ui/controls.css";
import "./ui/floating.css";
import "./shell/layout.css";
// After the styles that theirs build upon.
import { areas } from "./areas.ts";

/** Milliseconds to wait for a paint, which a hidden page never has. */
const MAX_PAINT_WAIT_MS = 100;

// `applyPreferences` does all of it, once its script is there. A wrong theme would flash until then.
try {
  for (const name of ["theme", "rows"]) {
    document.documentElement.dataset[name] = localStorage.getItem(`preference-${name}`) ?? "";
  }
} catch {
  // The browser forbids its storage.
}

/**
 * Starts the application. Its code is imported lazily, so that any failure in there, including a
 * missing script, is logged and shown.
 */
try {
  await firstPaint();
  const { start } = await import("./app.tsx");
  start(areas, fail);
} catch (error) {
  fail(error);
}

/** Cached scripts would otherwise run before the page is painted. */
function firstPaint() {
  if (performance.getEntriesByType("paint").length > 0) return null;
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, MAX_PAINT_WAIT_MS);
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
