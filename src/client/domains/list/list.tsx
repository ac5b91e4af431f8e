import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import type { BulkResult } from "../../../shared/register.ts";
import { formatView, parseView, type View } from "../../../shared/view.ts";
import { Gate } from "../../session/gate.tsx";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { notifyUndoable } from "../../session/undo.ts";
import { Button } from "../../ui/button.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useFocusFallback } from "../../ui/use-focus-fallback.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { DomainDialog } from "../domain-dialog.tsx";
import { EMPTY_DRAFT, readDraft } from "../domain-values.ts";
import { BulkDeleteDialog, BulkEditDialog } from "./bulk-dialogs.tsx";
import { readBulkDraft } from "./bulk-edit.ts";
import { readColumns, storeColumns } from "./columns.tsx";
import { DomainList, type OpenDialog } from "./domain-list.tsx";
import { FilterChips } from "./filter-menu.tsx";
import { EMPTY_SELECTION, type Selection } from "./selection.ts";
import { Toolbar } from "./toolbar.tsx";
import { useDomainList } from "./use-domain-list.ts";
import "./list.css";

/** Screen `/domains`: the list, to search, filter, sort, add, edit and delete domains. */
export default function Domains() {
  useFocusFallback();
  return (
    <div className="domains">
      <Breadcrumbs current="Domains">
        <Link href="/home">Home</Link>
      </Breadcrumbs>
      <h1 tabIndex={-1}>Domains</h1>
      <Gate waiting={<Skeleton lines={10} />}>
        <ListScreen />
      </Gate>
    </div>
  );
}

/** The query parameter that opens the form for a new domain. */
const ADD_PARAMETER = "add";
const ADD: OpenDialog = { kind: "edit", draft: EMPTY_DRAFT };

/** Toolbar, list, and at most one dialog. The address holds the whole view. */
function ListScreen() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const parameters = new URLSearchParams(search);
  const { view, problems } = parseView(parameters, [ADD_PARAMETER]);
  const viewText = formatView(view).toString();
  const list = useDomainList(viewText);
  const [message, setMessage] = useState("");
  const [columns, setColumns] = useState(readColumns);
  const [restored] = useState(() => restoreDialog(view));
  const [chosen, setChosen] = useState<OpenDialog | null>(restored);
  // A selection belongs to its view: another view starts with none.
  const [selected, setSelected] = useState({ viewText, selection: selectionOf(restored) });
  const selection = selected.viewText === viewText ? selected.selection : EMPTY_SELECTION;
  const select = (next: Selection) => setSelected({ viewText, selection: next });
  const focusNext = useRef<string>(null);

  const show = (next: View, replace = false) => {
    const query = formatView(next).toString();
    navigate(query ? `/domains?${query}` : "/domains", { replace });
    scrollTo(0, 0);
  };

  const adding = parameters.has(ADD_PARAMETER);
  const open = chosen ?? (adding ? ADD : null);

  function close() {
    setChosen(null);
    if (adding) show(view, true);
  }

  useEffect(() => {
    // The closing dialog restores the focus first; then it moves to the row of the outcome.
    if (open || focusNext.current === null) return;
    const row = document.getElementById(focusNext.current);
    (row ?? document.querySelector<HTMLElement>("h1"))?.focus();
    focusNext.current = null;
  }, [open]);

  function onSaved(domain: Domain, added: boolean) {
    list.put(domain);
    setMessage(`${added ? "Added" : "Saved"} ${domain.unicode}.`);
    focusNext.current = `edit-${domain.id}`;
    close();
  }

  function onGone({ id }: Domain) {
    const row = document.querySelector(`#edit-${CSS.escape(id)}`)?.closest("tr");
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    focusNext.current = neighbour?.querySelector("[id^=edit-]")?.id ?? "";
    list.remove(id);
    close();
  }

  function onBulkDone(action: string, { matched, changed }: BulkResult) {
    const same = matched - changed;
    const note = same > 0 ? ` ${formatDomainCount(same)} needed no change.` : "";
    setMessage(`${action} ${formatDomainCount(changed)}.${note}`);
    select(EMPTY_SELECTION);
    list.reload();
    focusNext.current = "";
    close();
  }

  return (
    <>
      <Toolbar
        view={view}
        columns={columns}
        onShow={show}
        onAdd={() => setChosen(ADD)}
        onColumns={(next) => {
          setColumns(next);
          storeColumns(next);
        }}
      />
      {problems.length > 0 && (
        <Notice tone="warn">
          This link has a filter or sort order that doesn’t exist.{" "}
          <Button onClick={() => show(view, true)}>Clear it</Button>
        </Notice>
      )}
      <FilterChips view={view} onShow={show} />
      <DomainList
        list={list}
        view={view}
        columns={columns}
        selection={selection}
        message={message}
        onSelect={select}
        onShow={show}
        onOpen={setChosen}
      />
      {open?.kind === "edit" && (
        <DomainDialog
          draft={open.draft}
          onSaved={onSaved}
          onAnother={(domain, operation) => {
            list.put(domain);
            notifyUndoable(`Added ${domain.unicode}.`, operation);
          }}
          onGone={(domain) => {
            setMessage(`Someone else deleted ${domain.unicode}.`);
            onGone(domain);
          }}
          onClose={close}
        />
      )}
      {open?.kind === "delete" && (
        <DeleteDialog domain={open.domain} onDeleted={onGone} onClose={close} />
      )}
      {open?.kind === "bulk-edit" && (
        <BulkEditDialog
          draft={open.draft}
          onDone={(result) => onBulkDone("Changed", result)}
          onClose={close}
        />
      )}
      {open?.kind === "bulk-delete" && (
        <BulkDeleteDialog
          target={open.target}
          onDone={(result) => onBulkDone("Deleted", result)}
          onClose={close}
        />
      )}
    </>
  );
}

/** The dialog that was being filled in before a reload, if it belongs to this view. */
function restoreDialog({ filter }: View): OpenDialog | null {
  const draft = readDraft();
  if (draft) return { kind: "edit", draft };
  const bulkDraft = readBulkDraft(filter);
  return bulkDraft && { kind: "bulk-edit", draft: bulkDraft };
}

function selectionOf(open: OpenDialog | null): Selection {
  if (open?.kind !== "bulk-edit") return EMPTY_SELECTION;
  const { ids } = open.draft.target;
  return ids ? { all: false, ids: new Set(ids) } : { all: true };
}
