import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { isNarrowed } from "../../../shared/filter.ts";
import { parseSavedViews } from "../../../shared/register.ts";
import { formatView, parseView, type View, withoutLapsed } from "../../../shared/view.ts";
import { ActOnDomains } from "../../register/act-on-domains.tsx";
import { useDomainChange } from "../../register/domain-change.ts";
import { ADD_PARAMETER, PANEL_PARAMETER } from "../../register/domains-api.ts";
import { useResource } from "../../register/resource.tsx";
import { Screen, useTitle } from "../../register/screen.tsx";
import { notifyUndoable, registerChanged } from "../../register/undo.ts";
import { listPath } from "../../screens.ts";
import { RequireRole } from "../../session/gate.tsx";
import { hasRole } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { lazyCode } from "../../ui/lazy-code.ts";
import { Notice } from "../../ui/notice.tsx";
import { useColumns } from "./columns.ts";
import { addressOf } from "./view-address.ts";
import { DomainList, SortNotes } from "./domain-list.tsx";
import { ListContext, type OpenDialog } from "./list-context.ts";
import { DomainPanel, usePanel } from "./panel.tsx";
import { toggleIds, useSelection } from "./selection.ts";
import { Toolbar } from "./toolbar.tsx";
import { useDomainList } from "./use-domain-list.ts";
import "../../common.ts";
import "../../common-editing.ts";
import "./list.css";

/** Loaded while the rows are. */
const ListDialogs = lazyCode(() => import("./list-dialogs.tsx"), null);
const BulkBar = lazyCode(async () => {
  const code = await import("./list-dialogs.tsx");
  return { default: code.BulkBar };
}, null);

const HEADING = "Domains";
/** Shown, but not announced: the result is. */
const SEARCHING = "Searching…";

/** Screen `/domains`: the list, to search, filter, sort, add, edit and delete domains. */
export default function Domains() {
  const [heading, setHeading] = useState(HEADING);
  const [count, setCount] = useState("");
  const setAddForm = useAddForm();
  useTitle(HEADING, heading);
  return (
    <Screen
      className="domains"
      heading={heading}
      count={
        <output className="note large">
          {/* On the screen, the heading says what is counted. */}
          <span aria-hidden="true">{count.replace(/ domains?/, "")}</span>
          <span className="unseen">{count !== SEARCHING && count}</span>
        </output>
      }
      lines={10}
      actions={
        <RequireRole least="editor">
          <Link href="/domains/import" className="button import">
            Import
          </Link>
          <Button aria-label="Add a domain" onClick={() => setAddForm(true)}>
            <span aria-hidden="true">+</span> <span>Add a domain</span>
          </Button>
        </RequireRole>
      }
    >
      <ListScreen onHeading={setHeading} onCount={setCount} />
    </Screen>
  );
}

/** Opens or closes the form for a new domain, in the address: only there its draft is restored. */
function useAddForm(): (isOpen: boolean) => void {
  const [, navigate] = useLocation();
  return (isOpen) => {
    const query = new URLSearchParams(location.search);
    if (isOpen) query.set(ADD_PARAMETER, "");
    else query.delete(ADD_PARAMETER);
    navigate(listPath(query), { replace: true });
  };
}

const ADD: OpenDialog = { kind: "edit", domain: null };

/** Toolbar, list, panel, and at most one dialog. The address holds the whole view. */
function ListScreen(props: { onHeading: (text: string) => void; onCount: (text: string) => void }) {
  const { onHeading, onCount } = props;
  const parameters = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const { view, problems } = parseView(parameters, [ADD_PARAMETER, PANEL_PARAMETER]);
  const viewText = formatView(view).toString();
  const list = useDomainList(formatView(withoutLapsed(view)).toString());
  const { listing } = list;
  const count = countInWords(list, isNarrowed(view.filter));
  useEffect(() => onCount(count), [onCount, count]);
  const { value: saved } = useResource(viewText ? "/api/views" : null, parseSavedViews);
  const heading = saved?.items.find(({ query }) => query === viewText)?.name ?? HEADING;
  useEffect(() => onHeading(heading), [onHeading, heading]);
  // An empty register needs no tools.
  const isBare = listing?.total === 0 && list.settled && !isNarrowed(view.filter);
  const columns = useColumns();
  const selecting = useSelection(viewText, list.settled ? listing : undefined);
  const { selection, deselect } = selecting;
  const isSelecting = (selection?.size ?? listing?.total ?? 0) > 0;
  const panel = usePanel(view);
  const place = useRef<HTMLDivElement>(null);
  const { change } = useDomainChange({ place, onSaved: list.put, onNewer: list.put });

  const [asked, ask] = useState<OpenDialog | null>(null);
  const setAddForm = useAddForm();
  const isAdding = parameters.has(ADD_PARAMETER) && hasRole("editor");
  function closeDialog() {
    ask(null);
    if (isAdding) setAddForm(false);
  }

  function show(next: View, replace = false) {
    navigate(addressOf(next), { replace });
    scrollTo(0, 0);
  }

  const bulk = useAction((act: () => Promise<void>) => act());
  const around = {
    ...list,
    ...columns,
    ...selecting,
    ...panel,
    view,
    show,
    add: () => setAddForm(true),
    ask,
    bulk,
    onBulkDone(text: string, operation: string | null) {
      notifyUndoable(text, operation);
      deselect(selection);
      registerChanged();
    },
    remove(id: string) {
      list.remove(id);
      selecting.select((now) => toggleIds(now, [id], false));
    },
  };
  return (
    <ListContext value={around}>
      {!isBare && (
        <div className="domains-bar">
          <Toolbar inert={isSelecting} />
          {isSelecting && listing && <BulkBar listing={listing} />}
        </div>
      )}
      {!isBare && <SortNotes />}
      {problems.length > 0 && (
        <Notice tone="warn">
          This link has a filter or sort order that doesn’t exist.{" "}
          <Button onClick={() => show(view, true)}>Clear it</Button>
        </Notice>
      )}
      <div ref={place} className="domains-board">
        <ActOnDomains change={change} onAsk={(kind, domain) => ask({ kind, domain })}>
          <DomainList />
        </ActOnDomains>
        {panel.opened !== null && <DomainPanel key={panel.opened} name={panel.opened} />}
      </div>
      <ListDialogs open={asked ?? (isAdding ? ADD : null)} onClose={closeDialog} />
    </ListContext>
  );
}

/** The number of domains; empty if the list says it. */
function countInWords(list: ReturnType<typeof useDomainList>, isFound: boolean): string {
  if (!list.listing || (list.failure && !list.settled)) return "";
  if (!list.settled) return SEARCHING;
  const count = list.listing.total;
  const domains = formatDomainCount(count);
  return isFound ? `${domains} found` : count > 0 ? domains : "";
}
