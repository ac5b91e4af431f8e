import { prerender } from "react-dom/static";
import { App, createAreas, screens, titleOf } from "../../client/app.tsx";
import { areas as loaders } from "../../client/areas.ts";

const areas = createAreas(loaders);

/** Milliseconds that a screen may take: one that takes longer waits for what never comes. */
const MAX_RENDER_MS = 5000;

export { screenAt, screens } from "../../client/app.tsx";

/**
 * Renders the application at a pattern of `screens`, or at any other path. A screen that only
 * redirects is rendered as the one that it leads to. The markup is complete without a script.
 *
 * @returns `area` is undefined for the not-found screen.
 * @throws What a component threw: half a screen is never served.
 */
export async function prerenderScreen(pattern: string, brand: string) {
  const path = screens[pattern]?.redirect ?? pattern;
  const failures: unknown[] = [];
  const { prelude } = await prerender(<App path={path} brand={brand} areas={areas} />, {
    signal: AbortSignal.timeout(MAX_RENDER_MS),
    // Larger boundaries would be moved into place by an inline script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void failures.push(error),
  });
  if (failures.length > 0) throw failures[0];
  const markup = await new Response(prelude).text();
  return { title: titleOf(path, brand), markup, area: screens[pattern]?.area };
}
