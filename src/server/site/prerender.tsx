import { prerender } from "react-dom/static";
import { App, createAreas, screenAt, screens, titleOf } from "../../client/app.tsx";
import { areas as loads } from "../../client/areas.ts";

const areas = createAreas(loads);

/** Milliseconds that a screen may take; one that takes longer waits for what never comes. */
const LONGEST = 5000;

/** The screens that the application knows: paths, and patterns such as `/domains/:domain`. */
export const screenPaths: readonly string[] = screens;

/** Which of `screenPaths` a path belongs to. */
export const findScreen: (path: string) => string | undefined = screenAt;

/** The application as it looks at a path, before it knows anything of the person. */
export interface Prerendered {
  title: string;
  markup: string;
}

/**
 * Renders the application at a path. The markup needs no script to be complete, whatever its size.
 *
 * @throws What a component threw: a screen that cannot be rendered is never served half.
 */
export async function prerenderScreen(path: string, brand: string): Promise<Prerendered> {
  const failures: unknown[] = [];
  const { prelude } = await prerender(<App path={path} brand={brand} areas={areas} />, {
    signal: AbortSignal.timeout(LONGEST),
    // Larger boundaries would be moved into place by an inline script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void failures.push(error),
  });
  // React leaves the contexts as its last task had them, for whoever renders next in this process:
  // rendering nothing takes them back.
  await prerender(null);
  if (failures.length > 0) throw failures[0];
  return { title: titleOf(path, brand), markup: await new Response(prelude).text() };
}
