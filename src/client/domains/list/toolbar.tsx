import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { activeFilters, MAX_VALUE_LENGTH } from "../../../shared/filter.ts";
import { parseView } from "../../../shared/view.ts";
import { useShortcutKeys } from "../../register/shortcut-keys.ts";
import { Dropdown } from "../../ui/dropdown.tsx";
import { lazyCode } from "../../ui/lazy-code.ts";
import { Skeleton } from "../../ui/notice.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { BULK_ACTIONS_ID, useList } from "./list-context.ts";
import { EMPTY_SELECTION } from "./selection.ts";

const waiting = <Skeleton lines={8} />;
const FilterMenu = lazyCode(() => import("./filter-menu.tsx"), waiting);
const Shortcuts = lazyCode(() => import("./shortcuts.tsx"), null);
const ViewsMenu = lazyCode(() => import("./views-menu.tsx"), waiting);

const SEARCH_DELAY_MS = 250;

/** Search, all filters, views with everything else, and the usual filters as chips. */
export function Toolbar({ inert }: { inert: boolean }) {
  const { view, select } = useList();
  const active = activeFilters(view.filter).filter((name) => name !== "q").length;
  const [helping, setHelping] = useState(false);
  useShortcutKeys((key, event) => {
    if (key === "/") {
      event.preventDefault();
      // The bar of a selection lies over the search, and another view would drop the selection.
      flushSync(() => select(() => EMPTY_SELECTION));
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      search?.focus();
      // Typing replaces the previous search.
      search?.select();
    } else if (key === "e") {
      const action = document.querySelector<HTMLElement>(`#${BULK_ACTIONS_ID} button`);
      if (action) event.preventDefault();
      action?.focus();
    } else if (key === "?") {
      event.preventDefault();
      setHelping(true);
    }
  });
  // Loaded while the rows are.
  useEffect(() => [FilterMenu, ViewsMenu, Shortcuts].forEach((menu) => menu.preload()), []);

  return (
    <div className="domains-tools" inert={inert}>
      <SearchBox />
      <Dropdown label={active === 0 ? "Filter" : `Filter (${active})`}>
        <FilterMenu />
      </Dropdown>
      <Dropdown label="Views">
        <ViewsMenu onHelp={() => setHelping(true)} />
      </Dropdown>
      <FilterChips />
      {/* Not in the menu: a dialog in a closed menu would not be seen. */}
      {helping && <Shortcuts onClose={() => setHelping(false)} />}
    </div>
  );
}

/** The view of the address, which is ahead of what is shown while a transition runs. */
const viewNow = () => parseView(new URLSearchParams(location.search)).view;
const searchNow = () => viewNow().filter.q ?? "";

/** Searches when typing pauses. */
function SearchBox() {
  const { view, show } = useList();
  const { q = "" } = view.filter;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What is typed, and the last search of it, which `q` may be behind. */
  const [typed, setTyped] = useState({ q, text: q });
  // Back or a link changed the address: the box follows.
  if (typed.q !== q && q === searchNow()) setTyped({ q, text: q });

  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <search className="domains-search">
      <label className="unseen" htmlFor="domains-search">
        Search domains
      </label>
      <input
        id="domains-search"
        className="control"
        type="search"
        placeholder="Search domains"
        title="All words, in any order. “Two words” in quotes stay together, -word leaves out."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX_VALUE_LENGTH}
        value={typed.text}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          document.querySelector<HTMLElement>(".row-link")?.focus();
        }}
        onChange={({ target }) => {
          clearTimeout(timer.current);
          setTyped({ ...typed, text: target.value });
          const { pathname } = location;
          timer.current = setTimeout(() => {
            const wanted = target.value.trim();
            const now = viewNow();
            const { q: before = "", ...filter } = now.filter;
            // The way to another screen may have begun.
            if (location.pathname !== pathname || wanted === before) return;
            // One history entry for the whole search, so that Back leads out of it.
            show({ ...now, filter: wanted ? { q: wanted, ...filter } : filter }, before !== "");
            // The address drops what is no search, such as a pasted tab: the box keeps it.
            setTyped({ q: searchNow(), text: target.value });
          }, SEARCH_DELAY_MS);
        }}
      />
    </search>
  );
}
