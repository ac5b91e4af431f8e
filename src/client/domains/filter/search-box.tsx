import { useEffect, useRef } from "react";

/** Milliseconds of quiet after which what is typed is searched for. */
const QUIET = 250;

/** Searches while somebody types, once they pause. `q` is what the address says. */
export function SearchBox({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const box = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Own searches that the address has not come to yet, while more may be typed. */
  const under = useRef<string[]>([]);

  useEffect(() => {
    if (!under.current.includes(q)) {
      // Back, forward or a link: the box follows.
      if (box.current) box.current.value = q;
      under.current = [];
    } else if (under.current.at(-1) === q) under.current = [];
  }, [q]);

  useEffect(() => () => clearTimeout(pause.current), []);

  function search(text: string) {
    const wanted = text.trim();
    if (wanted === (under.current.at(-1) ?? q)) return;
    under.current.push(wanted);
    onSearch(wanted);
  }

  return (
    <search className="domains-search">
      <label className="unseen" htmlFor="domains-search">
        Search the names
      </label>
      <input
        ref={box}
        id="domains-search"
        className="control"
        type="search"
        placeholder="Search names"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={q}
        onChange={({ target }) => {
          clearTimeout(pause.current);
          pause.current = setTimeout(() => search(target.value), QUIET);
        }}
      />
    </search>
  );
}
