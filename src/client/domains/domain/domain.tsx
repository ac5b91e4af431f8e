import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation, useParams, useSearch } from "wouter";
import type { DomainPage } from "../../../shared/domain.ts";
import { formatView, parseView } from "../../../shared/view.ts";
import { Gate } from "../../session/gate.tsx";
import { ChannelAlarm } from "../../register/reminder-notices.tsx";
import { Breadcrumbs } from "../../register/screen.tsx";
import { useSession } from "../../session/session-store.ts";
import { formatDomainCount } from "../../ui/format.ts";
import { formatNumber } from "../../ui/number.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useFocusFallback } from "../../ui/use-focus-fallback.ts";
import { type Draft, readDraft } from "../domain-values.ts";
import { listDomains } from "../../register/domains-api.ts";
import { useShortcutKeys } from "../../register/shortcut-keys.ts";
import { DomainView } from "./domain-view.tsx";
import "./domain.css";

/** Longer headings are set in a smaller size. */
const MAX_LARGE_HEADING = 80;

/** How far into a list the neighbours of a domain are looked for: one page. */
const MAX_LISTED = 200;

/** Screen `/domains/<name>`; its query is the view of the list that led here, if any. */
export default function DomainScreen() {
  useFocusFallback();
  const { domain = "" } = useParams();
  return <NamedDomain key={domain} name={domain} />;
}

function NamedDomain({ name }: { name: string }) {
  const [unicode, setUnicode] = useState(name);
  const [draft] = useState(() => readDraftOf(name));
  const [, navigate] = useLocation();
  const search = useSearch();
  const { state } = useSession();
  // The server prerenders one page for all names.
  const isPrerendered = useSyncExternalStore(
    () => () => undefined,
    () => false,
    () => true,
  );
  const heading = isPrerendered ? "Domain" : unicode;
  const view = isPrerendered
    ? ""
    : formatView(parseView(new URLSearchParams(search)).view).toString();
  const query = view && `?${view}`;
  useEffect(() => {
    // The router sets the title from the address, which has the name in ASCII.
    document.title = document.title.replace(name, () => unicode);
  }, [name, unicode]);

  return (
    <div className="screen domain">
      <Breadcrumbs current={heading} above={{ [`/domains${query}`]: "Domains" }} />
      {view && state === "signed-in" && <ListPlace name={name} view={view} />}
      <h1 tabIndex={-1} className={heading.length > MAX_LARGE_HEADING ? "long" : undefined}>
        {heading}
      </h1>
      <Gate waiting={<Skeleton lines={10} />}>
        <ChannelAlarm />
        <DomainView
          name={name}
          draft={draft}
          onName={setUnicode}
          onChanged={(changed) => {
            if (changed.name === name) return;
            navigate(`/domains/${changed.name}${query}`, { replace: true });
          }}
          onGone={() => navigate(`/domains${query}`, { replace: true })}
        />
      </Gate>
    </div>
  );
}

function readDraftOf(name: string): Draft | null {
  const draft = readDraft();
  return draft?.base && [draft.base.name, draft.base.id].includes(name) ? draft : null;
}

/**
 * The way back to the list that led here, and to the domains before and after this one, by the keys k
 * and j too: as the list was on arrival, so that a settled conflict is still followed by the next.
 */
function ListPlace({ name, view }: { name: string; view: string }) {
  const [list, setList] = useState<DomainPage>();
  useEffect(() => {
    const controller = new AbortController();
    // Without an answer the page has no such links, and lacks nothing else.
    listDomains(view, MAX_LISTED, 0, controller.signal).then(setList, () => undefined);
    return () => controller.abort();
  }, [view]);

  useShortcutKeys(({ key }) => {
    if (key !== "j" && key !== "k") return;
    document.querySelector<HTMLElement>(`.domain-place [aria-keyshortcuts=${key}]`)?.click();
  });

  const { filter } = parseView(new URLSearchParams(view)).view;
  const isConflicts =
    Object.keys(filter).join() === "expires" && filter.expires?.join() === "conflict";
  const at = list?.items.findIndex((domain) => domain.name === name) ?? -1;
  const link = (offset: number, label: string, key: string) => {
    const neighbour = at < 0 ? undefined : list?.items[at + offset];
    return (
      neighbour && (
        <Link
          href={`/domains/${neighbour.name}?${view}`}
          className="button"
          aria-keyshortcuts={key}
        >
          {label}
        </Link>
      )
    );
  };
  return (
    <nav className="domain-place" aria-label="List">
      <Link href={`/domains?${view}`}>
        <span aria-hidden="true">← </span>
        {!list
          ? "Back to the list"
          : isConflicts
            ? `${formatNumber(list.total)} with conflicting dates`
            : formatDomainCount(list.total)}
      </Link>
      <span>
        {link(-1, "Previous", "k")} {link(1, "Next", "j")}
      </span>
    </nav>
  );
}
