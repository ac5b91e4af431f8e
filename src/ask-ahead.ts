/** Answers that were asked for before the code that reads them is here, by URL. */
export type AheadAnswers = Map<string, Promise<Response>>;

/** As `http.ts` asks for it. */
const SESSION = "/api/token";
const SIGNED_IN = "signed-in";
const INIT: RequestInit = {
  headers: { "Content-Type": "application/json" },
  credentials: "include",
};
/** Milliseconds for an answer and its body, as there. */
const LONGEST = 30_000;

/**
 * Asks who is there, which the page has asked already, and where somebody is signed in for what the
 * screen needs next: a round trip sooner than the screen itself could. Where somebody was signed in
 * when this device last asked, that goes out with the first question. The page names it on the
 * element of its script: scripts, and requests of the API, where `{today}` is this device's.
 */
export function askAhead(): AheadAnswers {
  const answers: AheadAnswers = new Map();
  const { needs } = document.querySelector<HTMLScriptElement>("script[type=module]")?.dataset ?? {};
  if (needs === undefined) return answers;
  const ask = (url: string) => {
    const answer = fetch(url, { ...INIT, signal: AbortSignal.timeout(LONGEST) });
    // Whoever reads the answer says so.
    answer.catch(() => undefined);
    answers.set(url, answer);
    return answer;
  };
  const urls = needs.match(/\S+/g) ?? [];
  // A view of its own asks for something else.
  const calls = urls
    .filter((url) => isCall(url) && !location.search)
    .map((url) => url.replace("{today}", today()));
  const askMore = () => {
    for (const url of urls) if (!isCall(url)) preload(url);
    for (const url of calls) ask(url);
  };
  const session = ask(SESSION);
  const early = wasSignedIn();
  if (early) askMore();
  session
    .then((response) => response.clone().json())
    .then(({ state }: { state?: unknown }) => {
      if (state !== SIGNED_IN) for (const url of calls) answers.delete(url);
      else if (!early) askMore();
      return localStorage.setItem(SESSION, String(state));
    })
    .catch(() => undefined);
  return answers;
}

/** A guess: that session may be over. A browser may forbid its storage, even to look at it. */
function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(SESSION) === SIGNED_IN;
  } catch {
    return false;
  }
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
