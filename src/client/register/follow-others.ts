import { type News, parseNews } from "../../shared/news.ts";
import { sourceInWords } from "../../shared/source.ts";
import {
  callApi,
  currentPerson,
  getSession,
  onPersonChange,
  watchSession,
} from "../session/session-store.ts";
import { formatDomainCount } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { changedByOthers } from "./changed-by.tsx";
import { watchUrl } from "./resource.tsx";
import { registerChanged } from "./undo.ts";

/** A page that is seen knows of a change within 15 seconds. */
const PAUSE_MS = 12_000;

const NEWS_API = "/api/news";

/** What the last answer had; null: there was none. */
let known: { tag: string | null; times: ReadonlySet<string> } | null = null;
let isAsking = false;
/** What others changed since all was read again. */
let untold: News["changes"] = [];
let dismiss = () => {};

onPersonChange(() => {
  known = null;
  forget();
});

/**
 * Asks while the page is seen whether others have changed something. Nothing that is shown changes by
 * itself: names get a mark, and a notification offers to read all again. @returns Ends that.
 */
export function followOthers(): () => void {
  const ends = [watchUrl("/api/", forget), watchSession(ask)];
  const timer = setInterval(ask, PAUSE_MS);
  document.addEventListener("visibilitychange", ask);
  void ask();
  return () => {
    for (const end of ends) end();
    clearInterval(timer);
    document.removeEventListener("visibilitychange", ask);
  };
}

async function ask(): Promise<void> {
  if (document.hidden || isAsking || getSession().state !== "signed-in") return;
  isAsking = true;
  const person = currentPerson();
  try {
    const headers = known?.tag ? { "If-None-Match": known.tag } : {};
    const news = await callApi(NEWS_API, { headers, parse: parseTagged });
    const at = known ? news.times.filter((time) => !known?.times.has(time)) : [];
    const { changes } =
      at.length > 0
        ? await callApi(NEWS_API, { query: { at: at.join() }, parse: parseNews })
        : news;
    if (currentPerson() !== person) return;
    known = { tag: news.tag, times: new Set(news.times) };
    tell(changes.filter(({ byId }) => byId === null || byId !== person));
  } catch {
    // 304, or no answer: the next one will tell.
  } finally {
    isAsking = false;
  }
}

const parseTagged = (json: unknown, { headers }: Response) => {
  return { ...parseNews(json), tag: headers.get("etag") };
};

function tell(changes: News["changes"]): void {
  if (changes.length === 0) return;
  untold = [...changes, ...untold];
  const marks = untold.toReversed().flatMap(({ by, domains }) => {
    const text = `Changed by ${sourceInWords(by)}`;
    return domains.map(({ id, version }) => [id, { text, version: version ?? Infinity }] as const);
  });
  const marked = new Map(marks);
  changedByOthers.set(marked);
  const unmarked = untold.reduce((sum, { names, domains }) => sum + names - domains.length, 0);
  dismiss();
  dismiss = notify({
    text: `${formatDomainCount(marked.size + unmarked)} changed by others.`,
    action: { label: "Show", onAction: registerChanged },
  });
}

/** All is read again. */
function forget(): void {
  untold = [];
  dismiss();
  changedByOthers.set(changedByOthers.initial);
}
