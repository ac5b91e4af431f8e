import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type ChangeKind, parseRecentChanges } from "../../shared/changes.ts";
import { addDays, isDay } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import type { RecentChange } from "../../shared/register.ts";
import { toQuery, useAddressChoices } from "../register/address-choices.ts";
import { ChangeEntry } from "../register/change-entry.tsx";
import { useNear } from "../register/page-window.ts";
import { Loaded, useResource } from "../register/resource.tsx";
import { Screen } from "../register/screen.tsx";
import { toOption, usePeople } from "../register/suggestions.ts";
import { Choice } from "../ui/choice.tsx";
import { useDelayed } from "../ui/delayed.ts";
import { TextBox } from "../ui/text-box.tsx";
import {
  dayLanguage,
  formatCount,
  formatDay,
  formatNumber,
  formatTime,
  localToday,
} from "../ui/format.ts";
import "../common.ts";
import "../common-editing.ts";
import "./changes.css";

const KINDS = {
  "": "Everything",
  decided: "Decisions",
  edited: "All edits",
  added: "Added and restored",
  deleted: "Deleted",
  imported: "Imports",
  refused: "Refused names",
  told: "From registrars and registries",
} as const satisfies Readonly<Record<"" | ChangeKind, string>>;

/** Screen `/changes`: everything that was done, by day, the newest first. */
export default function Changes() {
  return (
    <Screen className="changes" above="/home" lines={10}>
      <AllChanges />
    </Screen>
  );
}

function readChoices(given: URLSearchParams) {
  const until = given.get("until") ?? "";
  return {
    q: given.get("q")?.trim().slice(0, 100) ?? "",
    person: given.get("person") ?? "",
    kind: p.orElse(p.keyOf(KINDS), "" as const)(given.get("kind")),
    until: isDay(until) ? until : "",
  };
}

const SEARCH_DELAY_MS = 250;

function AllChanges() {
  const { choices, boxes, choose } = useAddressChoices(readChoices);
  const { until, ...others } = choices;
  const people = usePeople();
  const query = String(toQuery({ ...others, q: useDelayed(others.q, SEARCH_DELAY_MS) }));
  // The end of that day in the time zone of this device.
  const after = until && new Date(`${addDays(until, 1)}T00:00`).toISOString();

  return (
    <>
      <div className="choices">
        <TextBox
          label="Text"
          type="search"
          maxLength={100}
          placeholder="Domain, value or file"
          value={boxes.q}
          onType={(q) => choose({ q })}
        />
        <Choice
          label="Kind"
          value={boxes.kind}
          options={Object.entries(KINDS)}
          onChoose={(kind) => choose({ kind })}
        />
        <Choice
          label="By"
          value={boxes.person}
          options={[["", "Everyone"], ...people.map(toOption)]}
          onChoose={(person) => choose({ person })}
        />
        <TextBox
          label="Until"
          type="date"
          max={localToday()}
          value={boxes.until}
          onType={(day) => choose({ until: day })}
        />
      </div>
      <Pages key={`${query} ${after}`} query={query} after={after} />
    </>
  );
}

interface PageStart {
  after: string;
  /** The last day before it, whose heading is there. */
  day: string;
  /** Entries before it. */
  count: number;
}

function Pages({ query, after }: { query: string; after: string }) {
  const [pages, setPages] = useState<readonly PageStart[]>([{ after, day: "", count: 0 }]);
  const [total, setTotal] = useState<number>();

  /** Replaces what followed a page, which may have changed. */
  function addPage(at: number, next: PageStart | null, count: number) {
    if (next === null) setTotal(count);
    else if (pages[at + 1]?.after !== next.after)
      setPages((now) => [...now.slice(0, at + 1), next]);
  }

  const found = total ?? pages[1]?.count ?? 0;
  return (
    <div>
      {pages.map((page, at) => (
        <Page
          key={page.after}
          query={query}
          from={page}
          onRead={(next, count) => addPage(at, next, count)}
        />
      ))}
      <output className={found ? "unseen" : undefined}>
        {total === 0 && "No changes match these filters."}
        {found > 0 &&
          (total ? formatCount(total, "change") : `The first ${formatNumber(found)} changes`)}
      </output>
    </div>
  );
}

interface PageProps {
  query: string;
  from: PageStart;
  onRead: (next: PageStart | null, count: number) => void;
}

/** Height of a page before it is read: of 50 lines. */
const ESTIMATED_PAGE_PX = 1800;

/** A page of entries by day, or a gap of its height. */
function Page({ query, from, onRead }: PageProps) {
  const place = useRef<HTMLDivElement>(null);
  const { near, height } = useNear(place, from.count === 0);
  const url = `/api/changes?${new URLSearchParams(query)}&after=${from.after}`;
  const page = useResource(near ? url : null, parseRecentChanges);
  const tell = useEffectEvent(onRead);
  const { value } = page;

  useEffect(() => {
    if (value === undefined) return;
    const { items, next } = value;
    const count = from.count + items.length;
    const day = items.length > 0 ? dayOf(items.at(-1)) : from.day;
    tell(next === null ? null : { after: next, day, count }, count);
  }, [value, from]);

  const gap = height || (from.count > 0 ? ESTIMATED_PAGE_PX : 0);
  return (
    <div ref={place} style={{ minBlockSize: value === undefined ? gap : 0 }}>
      {near && (
        <Loaded of={page} lines={10}>
          {({ items }) =>
            [...Map.groupBy(items, dayOf)].map(([day, changes]) => (
              <section key={day}>
                {day !== from.day && <h2 lang={dayLanguage()}>{formatDay(day, "medium")}</h2>}
                <ol className="entries" aria-label={formatDay(day, "medium")}>
                  {changes.map((change) => (
                    <ChangeEntry
                      key={change.changes[0]}
                      change={change}
                      time={formatTime(change.at)}
                    />
                  ))}
                </ol>
              </section>
            ))
          }
        </Loaded>
      )}
    </div>
  );
}

function dayOf(change: RecentChange | undefined): string {
  return localToday(change && new Date(change.at));
}
