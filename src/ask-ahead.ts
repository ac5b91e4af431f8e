/** Answers that were asked for before the code that reads them is here, by URL. */
export type AheadAnswers = Map<string, Promise<Response>>;

/** As `http.ts` asks for it. */
const SESSION = "/api/token";
const INIT: RequestInit = {
  headers: { "Content-Type": "application/json" },
  credentials: "include",
};
/** Milliseconds for an answer and its body, as there. */
const LONGEST = 30_000;

/**
 * Asks who is there, which the page has asked already, and where somebody is signed in for what the
 * screen needs next: a round trip sooner than the screen itself could. The page names it on the
 * element of its script: scripts, and requests of the API, where `{today}` is this device's.
 */
export function askAhead(): AheadAnswers {
  const answers: AheadAnswers = new Map();
  const { needs } = document.querySelector<HTMLScriptElement>("script[type=module]")?.dataset ?? {};
  if (needs === undefined) return answers;
  const ask = (url: string) => {
    const answer = fetch(url, { ...INIT, signal: AbortSignal.timeout(LONGEST) });
    answers.set(url, answer);
    return answer;
  };
  ask(SESSION)
    .then((response) => response.clone().json())
    .then(({ state }: { state?: unknown }) => {
      const urls = state === "signed-in" ? (needs.match(/\S+/g) ?? []) : [];
      for (const url of urls.filter((each) => !isCall(each))) preload(url);
      // A view of its own asks for something else.
      const calls = location.search ? [] : urls.filter(isCall);
      return Promise.all(calls.map((url) => ask(url.replace("{today}", today()))));
    })
    // Whoever reads the answer says so.
    .catch(() => undefined);
  return answers;
}

function isCall(url: string): boolean {
  return url.startsWith("/api/");
}

function preload(href: string) {
  document.head.append(
    Object.assign(document.createElement("link"), { rel: "modulepreload", href }),
  );
}

function today(): string {
  const now = new Date();
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(day).toISOString().slice(0, 10);
}
