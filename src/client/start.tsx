import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, createAreas } from "./app.tsx";
import type { areas } from "./areas.ts";
import type { AheadAnswers } from "./ask-ahead.ts";
import { readBrand } from "../shared/brand.ts";
import { keepAhead } from "./session/ahead.ts";

/**
 * Renders the application into `#root`: takes over the markup that the server rendered, where there
 * is some.
 *
 * @param loads How the code of each area is loaded.
 * @param ahead What was asked for already.
 * @param fail Told of an error that no boundary caught: nothing is left on the page then.
 * @throws {Error} When the page has no `#root`.
 */
export function start(loads: typeof areas, ahead: AheadAnswers, fail: (error: unknown) => void) {
  keepAhead(ahead);
  const root = document.getElementById("root");
  if (!root) throw new Error('The page has no element with the id "root".');
  const app = (
    <StrictMode>
      <App path={location.pathname} brand={readBrand()} areas={createAreas(loads)} />
    </StrictMode>
  );
  const options = { onUncaughtError: fail };
  if (root.hasChildNodes()) hydrateRoot(root, app, options);
  else createRoot(root, options).render(app);
}
