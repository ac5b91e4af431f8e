import { prerender } from "react-dom/static";
import { App, createAreas, titleOf } from "../../client/app.tsx";
import { areas as loaders } from "../../client/areas.ts";
import { screenAt, screens } from "../../client/screens.ts";

const areas = createAreas(loaders);

export { screenAt, screens };

/** Renders a pattern of `screens`, or any other path; a redirect as its target. @throws {Error} */
export async function prerenderScreen(pattern: string, brand: string) {
  const path = screens[pattern]?.redirect ?? pattern;
  const failures: unknown[] = [];
  const rendering = prerender(<App path={path} brand={brand} areas={areas} />, {
    // Larger boundaries would be moved into place by an inline script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void failures.push(error),
  });
  const rendered = await rendering.catch((error: unknown) => void failures.push(error));
  if (!rendered || failures.length > 0) {
    const [cause] = failures;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The screen ${path} could not be rendered: ${reason}`, { cause });
  }
  const markup = await new Response(rendered.prelude).text();
  return { title: titleOf(path, brand), markup, area: screens[pattern]?.area };
}
