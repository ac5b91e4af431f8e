/** Milliseconds after which an answer that nobody has read is too old. */
const GOOD_FOR = 10_000;

let answers = new Map<string, Promise<Response>>();

/** Keeps what was asked for before the application was there, by URL, for its first readers. */
export function keepAhead(given: typeof answers): void {
  answers = given;
  setTimeout(() => (answers = new Map()), GOOD_FOR);
}

/**
 * `fetch`, but for what was asked already: that is given out once, and not after something was
 * written, which may have changed it.
 */
export function sendAhead(url: string, init: RequestInit): Promise<Response> {
  if (init.method !== "GET") answers.clear();
  const answer = init.method === "GET" ? answers.get(url) : undefined;
  if (!answer) return fetch(url, init);
  answers.delete(url);
  const { signal } = init;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => reject(signal.reason));
    answer.then(resolve, reject);
  });
}
