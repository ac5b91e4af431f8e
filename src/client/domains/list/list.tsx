import { Suspense, useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import { isNarrowed } from "../../../shared/filter.ts";
import { type BulkOperation, parseSavedViews, type SavedView } from "../../../shared/register.ts";
import { formatView, parseView, type View, withoutLapsed } from "../../../shared/view.ts";
import { ActOnDomains } from "../../register/act-on-domains.tsx";
import { useDomainChange } from "../../register/domain-change.ts";
import {
  ADD_PARAMETER,
  type BulkTarget,
  changeDomains,
  PANEL_PARAMETER,
  toBulkSelection,
} from "../../register/domains-api.ts";
import { useResource } from "../../register/resource.tsx";
import { ChannelAlarm } from "../../register/reminder-notices.tsx";
import { ScreenHead, useTitle } from "../../register/screen.tsx";
import { notifyUndoable, registerChanged } from "../../register/undo.ts";
import { listPath } from "../../screens.ts";
import { explain } from "../../session/failure.tsx";
import { Gate, RequireRole } from "../../session/gate.tsx";
import { hasRole } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { lazyCode } from "../../ui/lazy-code.ts";
import { Notice, Skeleton } from "../../ui/notice.tsx";
import { notify } from "../../ui/notifications.ts";
import { useFocusFallback } from "../../ui/page.ts";
import type { Describe } from "./bulk-actions.ts";
import { type Column, readColumns, storeColumns } from "./columns.ts";
import { addressOf } from "./view-address.ts";
import { DomainList, SortNotes } from "./domain-list.tsx";
import {
  EMPTY_SELECTION,
  ListContext,
  type OpenDialog,
  ROOM_FOR_PANEL,
  type Selection,
  useMedia,
} from "./list-context.ts";
import { DomainPanel, focusRowInHand, leaveFromRow } from "./panel.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useDomainList } from "./use-domain-list.ts";
import "../../common.ts";
import "../../common-editing.ts";
import "./list.css";

/** Loaded while the rows are. */
const ListDialogs = lazyCode(() => import("./list-dialogs.tsx"));
const BulkBar = lazyCode(async () => {
  const code = await import("./list-dialogs.tsx");
  return { default: code.BulkBar };
});

const HEADING = "Domains";
/** Not read out: the answer is. */
const SEARCHING = "Searching…";

/** Screen `/domains`: the list, to search, filter, sort, add, edit and delete domains. */
export default function Domains() {
  useFocusFallback();
  const [heading, setHeading] = useState(HEADING);
  const [count, setCount] = useState("");
  const add = useAdd();
  useTitle(HEADING, heading);
  return (
    <div className="screen domains">
      <ScreenHead
        heading={heading}
        count={
          <output className="note large">
            {/* For the eye, the heading says of what. */}
            <span aria-hidden="true">{count.replace(/ domains?/, "")}</span>
            <span className="unseen">{count !== SEARCHING && count}</span>
          </output>
        }
      >
        <RequireRole least="editor">
          <Link href="/domains/import" className="button import">
            Import
          </Link>
          <Button aria-label="Add a domain" onClick={add}>
            <span aria-hidden="true">+</span> <span>Add a domain</span>
          </Button>
        </RequireRole>
      </ScreenHead>
      <Gate waiting={<Skeleton lines={10} />}>
        <ChannelAlarm />
        <ListScreen onHeading={setHeading} onCount={setCount} />
      </Gate>
    </div>
  );
}

/** The address has the form for a new domain: only there its draft is restored. */
function useAdd(): () => void {
  const [, navigate] = useLocation();
  return () => {
    const query = new URLSearchParams(location.search);
    query.set(ADD_PARAMETER, "");
    navigate(listPath(query), { replace: true });
  };
}

/** The saved view of a query, if it is one. */
function useSavedView(query: string): SavedView | undefined {
  const { value } = useResource(query ? "/api/views" : null, parseSavedViews);
  return query ? value?.items.find((each) => each.query === query) : undefined;
}

const ADD: OpenDialog = { kind: "edit", domain: null };

interface Props {
  onHeading: (text: string) => void;
  onCount: (text: string) => void;
}

/** Toolbar, list, panel, and at most one dialog. The address holds the whole view. */
function ListScreen({ onHeading, onCount }: Props) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const parameters = new URLSearchParams(search);
  const { view, problems } = parseView(parameters, [ADD_PARAMETER, PANEL_PARAMETER]);
  const viewText = formatView(view).toString();
  const asked = withoutLapsed(view);
  const list = useDomainList(formatView(asked).toString());
  const count = countInWords(list, isNarrowed(view.filter));
  useEffect(() => onCount(count), [onCount, count]);
  const saved = useSavedView(viewText)?.name ?? HEADING;
  useEffect(() => onHeading(saved), [onHeading, saved]);
  // An empty register needs no tools.
  const isBare = list.listing?.total === 0 && list.settled && !isNarrowed(view.filter);
  const [columns, setColumns] = useState(readColumns);
  const [chosen, setChosen] = useState<OpenDialog | null>(null);
  // Each view has a selection of its own.
  const [selected, setSelected] = useState({ viewText, selection: EMPTY_SELECTION });
  const selection = selected.viewText === viewText ? selected.selection : EMPTY_SELECTION;
  const select = (update: (now: Selection) => Selection) =>
    setSelected((now) => ({
      viewText,
      selection: update(now.viewText === viewText ? now.selection : EMPTY_SELECTION),
    }));
  const isSelecting = (selection.all ? (list.listing?.total ?? 0) : selection.ids.size) > 0;
  const focusNext = useRef<string>(null);
  /** Notifications held back until the dialog closes: Undo cannot be pressed below it. */
  const untold = useRef<(() => void)[]>([]);
  const place = useRef<HTMLDivElement>(null);
  const { change: changeOne } = useDomainChange({ place, onSaved: list.put, onNewer: list.put });
  const hasRoom = useMedia(ROOM_FOR_PANEL);
  const opened = hasRoom ? parameters.get(PANEL_PARAMETER) : null;

  const show = (next: View, replace = false) => {
    navigate(addressOf(next), { replace });
    scrollTo(0, 0);
  };

  /** Shows a domain beside the list: one history entry for all domains viewed there. */
  function openDomain(name: string) {
    if (!hasRoom) {
      leaveFromRow(name);
      navigate(`/domains/${name}${viewText && `?${viewText}`}`);
      return;
    }
    const query = new URLSearchParams(viewText);
    query.set(PANEL_PARAMETER, name);
    navigate(listPath(query), { replace: opened !== null });
  }

  function closePanel() {
    navigate(addressOf(view), { replace: true });
  }

  const add = useAdd();
  const adding = parameters.has(ADD_PARAMETER) && hasRole("editor");
  const open = chosen ?? (adding ? ADD : null);

  function close() {
    for (const tell of untold.current.splice(0)) tell();
    setChosen(null);
    if (adding) navigate(addressOf(view), { replace: true });
  }

  useEffect(() => {
    // The closing dialog restores the focus first; then it moves to the resulting row.
    if (open || focusNext.current === null) return;
    const row = document.getElementById(focusNext.current);
    const target = row ?? document.querySelector<HTMLElement>("h1");
    target?.focus({ preventScroll: true });
    focusNext.current = null;
  }, [open]);

  function onSaved(domain: Domain, added: boolean, operation: string | null) {
    if (!added) focusNext.current = `domain-${domain.id}`;
    list.put(domain);
    notifyUndoable(`${added ? "Added" : "Saved"} ${domain.unicode}.`, operation);
    close();
  }

  function onGone({ id, name }: Domain) {
    const row = document.getElementById(`domain-${id}`)?.closest("tr");
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    focusNext.current = neighbour?.querySelector("[id^=domain-]")?.id ?? "";
    list.remove(id);
    if (name === opened) closePanel();
    close();
  }

  function report(text: string, operation: string | null) {
    notifyUndoable(text, operation);
    // The bar goes, or the dialog, which gives the focus back once it has closed.
    const row = document.querySelector(".domain-table .selected .row-link");
    if (open) focusNext.current = row?.id ?? "";
    else focusRowInHand();
    // The selection or the view may have changed meanwhile.
    setSelected((now) =>
      now.selection === selection ? { ...now, selection: EMPTY_SELECTION } : now,
    );
    registerChanged();
  }

  const bulk = useAction(async (target: BulkTarget, op: BulkOperation, describe: Describe) => {
    try {
      const result = await changeDomains({ select: toBulkSelection(target), op });
      report(describe(op, result), result.operation);
    } catch (error) {
      const text = explain(error);
      const action = { label: "Live checks", onAction: () => navigate("/checks") };
      notify(op.kind === "check" ? { text, action } : { text: `Nothing was changed. ${text}` });
      registerChanged();
    }
  });

  const around = {
    ...list,
    view,
    show,
    columns,
    setColumns(next: readonly Column[]) {
      setColumns(next);
      storeColumns(next);
    },
    selection,
    select,
    opened,
    open: openDomain,
    add,
    ask: setChosen,
    bulk,
  };
  return (
    <ListContext value={around}>
      {!isBare && (
        <div className="domains-bar">
          <Toolbar inert={isSelecting} />
          {isSelecting && list.listing && (
            <Suspense fallback={null}>
              <BulkBar listing={list.listing} />
            </Suspense>
          )}
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
        <ActOnDomains change={changeOne} onAsk={(kind, domain) => setChosen({ kind, domain })}>
          <DomainList />
        </ActOnDomains>
        {opened !== null && (
          <DomainPanel
            key={opened}
            name={opened}
            query={viewText && `?${viewText}`}
            onChanged={(domain) => {
              if (domain.name !== opened) openDomain(domain.name);
              list.put(domain);
            }}
            onGone={({ id }) => {
              closePanel();
              list.remove(id);
            }}
            onClose={closePanel}
          />
        )}
      </div>
      <Suspense fallback={null}>
        <ListDialogs
          open={open}
          filter={asked.filter}
          onRestore={(restored) => {
            if (open) return;
            setChosen(restored);
            select((now) => selectionOf(restored) ?? now);
          }}
          onSaved={onSaved}
          onAnother={(domain, operation) => {
            registerChanged();
            untold.current.push(() => notifyUndoable(`Added ${domain.unicode}.`, operation));
          }}
          onMissing={(domain) => {
            notify({ text: `Someone else deleted ${domain.unicode}.` });
            onGone(domain);
          }}
          onDeleted={onGone}
          onBulkDone={(text, operation) => {
            report(text, operation);
            close();
          }}
          onClose={close}
        />
      </Suspense>
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

function selectionOf(open: OpenDialog): Selection | null {
  if (open.kind !== "bulk") return null;
  const { ids } = open.target;
  return ids ? { all: false, ids: new Set(ids) } : { all: true };
}
