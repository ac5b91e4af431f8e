import { useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Domain } from "../../shared/contract.ts";
import type { BulkResult } from "../../shared/register-contract.ts";
import { formatDomainCount } from "../ui/format.ts";
import { readBulkDraft } from "./bulk/bulk-draft.ts";
import { chooseColumns, columnKeys, usualColumns } from "./list/columns.tsx";
import { DomainList } from "./list/domain-list.tsx";
import { toValues } from "./domain-values.ts";
import { readDraft } from "./edit/draft.ts";
import { FilterChips } from "./filter/filter-chips.tsx";
import { type OpenDialog, RegisterDialog } from "./register-dialog.tsx";
import { RegisterTools } from "./register-tools.tsx";
import { NOTHING, type Selection } from "./list/selection.ts";
import { keepChoice, readChoice } from "./list/stored-choice.ts";
import { useDomainList } from "./list/use-domain-list.ts";
import { useShortcuts } from "./list/use-shortcuts.ts";
import { parseView, type View, viewToQuery, viewToSearch } from "./filter/view.ts";

const ADD: OpenDialog = { form: { base: null, values: toValues(null) } };
const COLUMNS = "columns";

/** The register of whoever is signed in: the tools above, the rows beneath, one dialog at a time. */
export function Register({ email }: { email: string }) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const view = parseView(search);
  const query = viewToQuery(view);
  const list = useDomainList(query, email);
  const [said, say] = useState("");
  const [columns, setColumns] = useState(() => readChoice(COLUMNS, columnKeys) ?? usualColumns);
  const [unfinished] = useState(() => readUnfinished(viewToSearch(view)));
  const [chosen, setChosen] = useState<OpenDialog | null>(unfinished);
  // What is selected belongs to what is shown: another view begins with nothing.
  const [picked, setPicked] = useState({ query, selection: selectionOf(unfinished) });
  const selection = picked.query === query ? picked.selection : NOTHING;
  const pick = (next: Selection) => setPicked({ query, selection: next });
  const shortcuts = useShortcuts(() => setChosen({ help: true }));
  const focusNext = useRef<string>(null);

  const show = (next: View, replace = false) => {
    const asked = viewToSearch(next);
    navigate(asked ? `/domains?${asked}` : "/domains", { replace });
    // Other rows are read from the first.
    scrollTo(0, 0);
  };

  // `?add` opens the form too, and goes from the address when that is closed.
  const adding = new URLSearchParams(search).has("add");
  const open = chosen ?? (adding ? ADD : null);

  function close() {
    setChosen(null);
    if (adding) show(view, true);
  }

  useEffect(() => {
    // After the dialog is gone, and has given the focus back: it belongs to the row that came of it.
    if (open || focusNext.current === null) return;
    const row = document.getElementById(focusNext.current);
    (row ?? document.querySelector<HTMLElement>("h1"))?.focus();
    focusNext.current = null;
  }, [open]);

  function saved(domain: Domain, added: boolean) {
    list.put(domain);
    say(`${domain.unicode} was ${added ? "added" : "saved"}.`);
    focusNext.current = `edit-${domain.id}`;
    close();
  }

  function gone({ id, unicode }: Domain, byUs: boolean) {
    const rows = document.querySelector(`#edit-${CSS.escape(id)}`)?.closest("tr");
    const neighbour = rows?.nextElementSibling ?? rows?.previousElementSibling;
    focusNext.current = neighbour?.querySelector("[id^=edit-]")?.id ?? "";
    list.remove(id);
    say(byUs ? `${unicode} was deleted.` : `${unicode} is no longer in the register.`);
    close();
  }

  function changedMany({ matched, changed }: BulkResult, word: string) {
    const same =
      matched > changed ? ` ${formatDomainCount(matched - changed)} needed no change.` : "";
    say(`${formatDomainCount(changed)} ${changed === 1 ? "was" : "were"} ${word}.${same}`);
    pick(NOTHING);
    list.reload();
    focusNext.current = "";
    close();
  }

  return (
    <>
      <RegisterTools
        view={view}
        columns={columns}
        onShow={show}
        onOpen={setChosen}
        onColumns={(next) => {
          setColumns(next);
          keepChoice(COLUMNS, next);
        }}
      />
      <FilterChips view={view} onShow={show} />
      <DomainList
        list={list}
        view={view}
        columns={chooseColumns(columns)}
        selection={selection}
        said={said}
        onSelect={pick}
        onShow={show}
        onOpen={setChosen}
      />
      <RegisterDialog
        open={open}
        shortcuts={shortcuts}
        onSaved={saved}
        onGone={gone}
        onChangedMany={changedMany}
        onClose={close}
      />
    </>
  );
}

/** The dialog that was being filled in over this view before a reload. */
function readUnfinished(search: string): OpenDialog | null {
  const form = readDraft();
  if (form) return { form };
  const editingMany = readBulkDraft(search);
  return editingMany && { editingMany };
}

function selectionOf(open: OpenDialog | null): Selection {
  if (!open || !("editingMany" in open)) return NOTHING;
  const { ids } = open.editingMany.names;
  return ids ? { all: false, ids: new Set(ids) } : { all: true };
}
