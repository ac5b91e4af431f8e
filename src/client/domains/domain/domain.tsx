import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation, useParams, useSearch } from "wouter";
import { type DomainPage, parseDomainPage } from "../../../shared/domain.ts";
import { formatView, parseView, withoutLapsed } from "../../../shared/view.ts";
import { Screen, useTitle } from "../../register/screen.tsx";
import { useSession } from "../../session/session-store.ts";
import { formatDomainCount, formatNumber } from "../../ui/format.ts";
import { readDraft } from "../form/domain-values.ts";
import { listUrl } from "../../register/domains-api.ts";
import { useResource } from "../../register/resource.tsx";
import { useShortcutKeys } from "../../register/shortcut-keys.ts";
import { registerChanged } from "../../register/undo.ts";
import { domainAt, findRow, LIST_PAGE_SIZE, putPage, shownListing } from "../listing.ts";
import DomainView from "./domain-view.tsx";
import "../../common.ts";
import "../../common-editing.ts";
import "./domain.css";

/** Screen `/domains/<name>`; its query is the view of the list that led here. */
export default function DomainScreen() {
  const { domain = "" } = useParams();
  return <NamedDomain key={domain} name={domain} />;
}

function NamedDomain({ name }: { name: string }) {
  const [unicode, setUnicode] = useState(name);
  const [draft] = useState(() => {
    const stored = readDraft();
    const base = stored?.base;
    return base && [base.name, base.unicode, base.id].includes(name) ? stored : null;
  });
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
  useTitle(name, unicode);

  return (
    <Screen
      className="domain"
      heading={heading}
      above={`/domains${query}`}
      count={view && state === "signed-in" && <ListPlace name={name} view={view} />}
      lines={10}
    >
      <DomainView
        name={name}
        isPage
        draft={draft}
        onName={setUnicode}
        onChanged={(changed) => {
          if (changed.name !== name) {
            navigate(`/domains/${changed.name}${query}`, { replace: true });
          }
          registerChanged();
        }}
        onGone={() => navigate(`/domains${query}`, { replace: true })}
      />
    </Screen>
  );
}

/**
 * Links back to the list, and to the domains before and after this one, also by the keys k and j.
 * The list stays as it was on arrival, so that a settled conflict still has a next one.
 */
function ListPlace({ name, view }: { name: string; view: string }) {
  const { view: named } = parseView(new URLSearchParams(view));
  const asked = formatView(withoutLapsed(named)).toString();
  /** The rows of the view as the list left them, if this domain is among them. */
  const [known] = useState(() => {
    const listing = shownListing.get();
    return listing?.view === asked && findRow(listing, name) >= 0 ? listing : undefined;
  });
  const at = known ? findRow(known, name) : -1;
  // If the list is known, this domain and its neighbours, else the first page.
  const offset = Math.max(at - 1, 0);
  const { value: page } = useResource(
    listUrl(asked, known ? 3 : LIST_PAGE_SIZE, offset),
    parseDomainPage,
  );
  const [arrived, setArrived] = useState<DomainPage>();
  if (page && !arrived) setArrived(page);
  useEffect(() => {
    if (arrived) shownListing.set(putPage(known, asked, offset, arrived));
  }, [arrived, known, asked, offset]);

  useShortcutKeys((key) => {
    if (key !== "j" && key !== "k") return;
    document.querySelector<HTMLElement>(`.domain-place [aria-keyshortcuts=${key}]`)?.click();
  });

  const isConflicts =
    Object.keys(named.filter).join() === "expires" && named.filter.expires?.join() === "conflict";
  const items = arrived?.items ?? [];
  const place = items.findIndex((domain) => domain.name === name);
  const link = (step: number, label: string, key: string) => {
    const left = known && domainAt(known, at + step);
    const neighbour = left ?? (place < 0 ? undefined : items[place + step]);
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
    <nav className="row domain-place" aria-label="List">
      <Link href={`/domains?${view}`}>
        <span aria-hidden="true">← </span>
        {!page
          ? "Back to the list"
          : isConflicts
            ? `${formatNumber(page.total)} with conflicting dates`
            : formatDomainCount(page.total)}
      </Link>
      <span>
        {link(-1, "Previous", "k")} {link(1, "Next", "j")}
      </span>
    </nav>
  );
}
