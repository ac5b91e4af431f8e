/** Answers that were asked for before the code that reads them is here, by URL. */
export type AheadAnswers = Map<string, Promise<Response>>;

/** As `http.ts` asks for it. */
const SESSION = "/api/token";
const SIGNED_IN = "signed-in";
const HEADERS = { "Content-Type": "application/json" };
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
  const keep = (url: string, answer: Promise<Response>) => {
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
    for (const url of calls) keep(url, ask(url));
  };
  const session = keep(SESSION, send(SESSION));
  const early = wasSignedIn();
  const signedIn = session
    .then((response) => response.clone().json())
    .then(({ state }: { state?: unknown }) => {
      const is = state === SIGNED_IN;
      if (is && !early) askMore();
      return is;
    });
  const ask = async (url: string) => {
    const answer = await send(url);
    // A backend may renew a session while it is asked for it.
    return answer.status === 401 && (await signedIn) ? send(url) : answer;
  };
  if (early) askMore();
  signedIn
    .catch(() => false)
    .then((is) => {
      if (!is) for (const url of calls) answers.delete(url);
      return localStorage.setItem(SESSION, is ? SIGNED_IN : "");
    })
    .catch(() => undefined);
  return answers;
}

function send(url: string): Promise<Response> {
  return fetch(url, {
    headers: HEADERS,
    credentials: url === SESSION ? "include" : "same-origin",
    signal: AbortSignal.timeout(LONGEST),
  });
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
