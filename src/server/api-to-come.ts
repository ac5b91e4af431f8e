import type { Api } from "../shared/api.ts";

/**
 * An API that is still being opened: requests that come before wait for it. The port is taken first,
 * so that a second instance on it touches no database.
 */
export function apiToCome(opening: Promise<Api>): Api {
  let opened: Api | null = null;
  opening.then(
    (api) => (opened = api),
    // Whoever opens it says what went wrong.
    () => undefined,
  );
  return {
    fetch: async (request, peer) => (await opening).fetch(request, peer),
    ready: async () => opened?.ready() ?? false,
    close: async () => (await opening).close(),
  };
}
