import { prerender } from "react-dom/static";

/**
 * React's renderer for the server leaves each context with the value of its last render, and the one
 * for the browser, in the same process, reads it. Rendering nothing sets them back. A server has no
 * second renderer; tests of components that run after a prerender in this process have. React does
 * not document it: should it change, those tests fail.
 */
export async function resetContexts(): Promise<void> {
  await prerender(null);
}
