import { type MouseEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { FIELDS } from "../../../shared/fields.ts";
import { formatView, type View } from "../../../shared/view.ts";
import { HttpError } from "../../http.ts";
import { explain } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { Notice } from "../../ui/notice.tsx";
import { checkExport } from "../domains-api.ts";
import { type Column, COLUMNS } from "./columns.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { Shortcuts } from "./shortcuts.tsx";

/** Quiet time after the last keystroke before the search starts. */
const SEARCH_DELAY_MS = 250;

interface Props {
  view: View;
  columns: readonly Column[];
  onShow: (view: View, replace?: boolean) => void;
  onAdd: () => void;
  onColumns: (columns: Column[]) => void;
}

export function Toolbar({ view, columns, onShow, onAdd, onColumns }: Props) {
  const { q = "", ...filter } = view.filter;
  const exportPath = `/api/domains.csv?${formatView(view)}`;
  return (
    <div className="domains-tools">
      <SearchBox
        q={q}
        onSearch={(text) =>
          onShow({ ...view, filter: text ? { q: text, ...filter } : filter }, true)
        }
      />
      <FilterMenu view={view} onShow={onShow} />
      <ColumnMenu columns={columns} onColumns={onColumns} />
      <ExportLink key={exportPath} path={exportPath} />
      <Shortcuts />
      <span className="domains-adding">
        <Link href="/domains/import" className="button">
          Import
        </Link>
        <Button look="primary" onClick={onAdd}>
          Add a domain
        </Button>
      </span>
    </div>
  );
}

/** Searches as soon as typing pauses. `q` is the search in the address. */
function SearchBox({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Searches started here that the address has not caught up with. */
  const pending = useRef<string[]>([]);

  useEffect(() => {
    if (!pending.current.includes(q)) {
      // The address changed by itself, by Back or a link: the box follows.
      if (box.current) box.current.value = q;
      pending.current = [];
    } else if (pending.current.at(-1) === q) pending.current = [];
  }, [q]);

  useEffect(() => () => clearTimeout(timer.current), []);

  function search(text: string) {
    const wanted = text.trim();
    if (wanted === (pending.current.at(-1) ?? q)) return;
    pending.current.push(wanted);
    onSearch(wanted);
  }

  return (
    <search className="domains-search">
      <label className="unseen" htmlFor="domains-search">
        Search domains
      </label>
      <input
        ref={box}
        id="domains-search"
        className="control"
        type="search"
        placeholder="Search domains"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={q}
        onChange={({ target }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(target.value), SEARCH_DELAY_MS);
        }}
      />
    </search>
  );
}

/** Chooses the columns. The choice belongs to this device and is not part of the address. */
function ColumnMenu({ columns, onColumns }: Pick<Props, "columns" | "onColumns">) {
  const toggle = (column: Column, on: boolean) =>
    onColumns(COLUMNS.filter((each) => (each === column ? on : columns.includes(each))));
  return (
    <Dropdown label="Columns">
      <fieldset className="column-menu">
        <legend>Columns</legend>
        {COLUMNS.map((column) => (
          <label key={column} className={`check of-${column}`}>
            <input
              type="checkbox"
              checked={columns.includes(column)}
              onChange={({ target }) => toggle(column, target.checked)}
            />
            {FIELDS[column].label}
          </label>
        ))}
      </fieldset>
    </Dropdown>
  );
}

/**
 * Downloads the view as a CSV file. A browser would save an error response as if it were the file,
 * so a HEAD request comes first; an expired session then shows the sign-in form.
 */
export function ExportLink({ path }: { path: string }) {
  const [failure, setFailure] = useState<unknown>();
  const state = useRef<"idle" | "checking" | "granted">("idle");

  async function onClick(event: MouseEvent<HTMLAnchorElement>) {
    const { currentTarget: link, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (state.current === "granted" || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    if (state.current === "checking") return;
    state.current = "checking";
    setFailure(undefined);
    try {
      await checkExport(path).catch((error: unknown) => {
        // A backend of one's own may not support HEAD: then the file is requested without a check.
        if (!(error instanceof HttpError && [405, 501].includes(error.status))) throw error;
      });
      state.current = "granted";
      link.click();
    } catch (error) {
      // After a 401 the sign-in form replaces this screen until the session is renewed.
      if (!(error instanceof HttpError && error.status === 401)) setFailure(error);
    } finally {
      state.current = "idle";
    }
  }

  return (
    <>
      <a className="button quiet" href={path} download onClick={onClick}>
        Export
      </a>
      {failure !== undefined && <Notice>Nothing was exported. {explain(failure)}</Notice>}
    </>
  );
}
