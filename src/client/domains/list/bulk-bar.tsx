import type { SubmitEvent } from "react";
import type { Decision } from "../../../shared/domain.ts";
import { filterValueInWords } from "../../../shared/filter.ts";
import { type BulkOperation, parseYearlyCosts } from "../../../shared/register.ts";
import { boolean, object } from "../../../shared/parse.ts";
import { splitTags } from "../../../shared/text.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { Field } from "../../ui/field.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { formatNumber } from "../../ui/number.ts";
import { localToday } from "../../ui/today.ts";
import { type BulkTarget, DOMAINS_PATH } from "../../register/domains-api.ts";
import { useFacets } from "../../register/suggestions.ts";
import { useResource } from "../../register/resource.ts";
import type { OpenDialog } from "./domain-list.tsx";
import { isSettling, type TableProps } from "./domain-table.tsx";
import { ExportLink, ExportSelection } from "./export.tsx";
import { EMPTY_SELECTION, formatSelectionCost, formatYearlyCosts } from "./selection.ts";
import { BULK_ACTIONS_ID } from "./shortcuts.tsx";
import "./bulk-bar.css";

/** Decisions that are made with one click; the dialog has the others. */
const QUICK_DECISIONS = ["keep", "drop", "transfer"] as const satisfies readonly Decision[];

/** Says what was done, given the domains in words: `57 domains`. */
export type Describe = (domains: string) => string;

/** Of the live checks: while they are off, nothing can be checked. */
const parseChecksOn = object({ on: boolean });

interface Props extends Pick<TableProps, "listing" | "view" | "selection" | "onSelection"> {
  onOpen: (dialog: OpenDialog) => void;
  onChange: (target: BulkTarget, op: BulkOperation, describe: Describe) => void;
}

/**
 * How many domains are selected, their cost, and what can be done with them. It stays visible, and
 * comes before the rows in the markup, so that keyboard users need not go through all of them.
 */
export function BulkBar(props: Props) {
  const { listing, view, selection, onSelection, onOpen, onChange } = props;
  const { value: checks } = useResource("/api/checks", parseChecksOn);
  const total = listing.rows.length;
  const ids = selection.all ? null : [...selection.ids];
  const target = { filter: view.filter, ids, count: ids?.length ?? total };
  return (
    <section className="row bulk-bar" aria-label="Selected domains">
      <div className="row bulk-count">
        <output>
          {ids ? "" : "All "}
          {formatDomainCount(target.count)} selected
          {selection.all ? (
            <CostOfAll view={listing.view} />
          ) : (
            formatSelectionCost(listing, selection.ids)
          )}
        </output>
        {target.count < total && (
          <Button look="quiet" onClick={() => onSelection(() => ({ all: true }))}>
            <span>
              Select all {formatNumber(total)}
              <span className="bulk-aside"> that match</span>
            </span>
          </Button>
        )}
      </div>
      <div className="row bulk-actions" id={BULK_ACTIONS_ID}>
        {isSettling(view) && (
          <Dropdown label="Settle dates">
            <SettleOptions
              onSettle={(op) =>
                onChange(target, op, (domains) => `Settled the dates of ${domains}.`)
              }
            />
          </Dropdown>
        )}
        {QUICK_DECISIONS.map((decision) => {
          const label = filterValueInWords("decision", decision);
          const describe: Describe = (domains) => `${label}: decided for ${domains}.`;
          return (
            <Button
              key={decision}
              onClick={() => onChange(target, { kind: "edit", decision }, describe)}
            >
              {label}
            </Button>
          );
        })}
        <Dropdown label="Tag">
          <TagForm
            onTag={(addTags) =>
              onChange(
                target,
                { kind: "edit", addTags },
                (domains) => `Tagged ${domains}: ${addTags.join(", ")}.`,
              )
            }
          />
        </Dropdown>
        {checks?.on && (
          <Button
            onClick={() =>
              onChange(target, { kind: "check" }, (domains) => `Checking ${domains} now.`)
            }
          >
            Check now
          </Button>
        )}
        <Button onClick={() => onOpen({ kind: "bulk-handle", target })}>Remind later…</Button>
        <Button onClick={() => onOpen({ kind: "bulk-edit", target })}>More…</Button>
        {ids ? <ExportSelection ids={ids} /> : <ExportLink view={view} />}
        <Button onClick={() => onOpen({ kind: "bulk-delete", target })}>Delete</Button>
        <Button look="quiet" onClick={() => onSelection(() => EMPTY_SELECTION)}>
          Clear
        </Button>
      </div>
    </section>
  );
}

/** What all domains of a view cost per year, loaded or not. */
function CostOfAll({ view }: { view: string }) {
  const query = new URLSearchParams(view);
  query.set("today", localToday());
  const { value } = useResource(`${DOMAINS_PATH}/cost?${query}`, parseYearlyCosts);
  return value && formatYearlyCosts(value.costs);
}

function TagForm({ onTag }: { onTag: (tags: string[]) => void }) {
  const { value: facets } = useFacets();
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const box = event.currentTarget.elements.namedItem("tags");
    const tags = splitTags(box instanceof HTMLInputElement ? box.value : "");
    if (tags.length === 0) return;
    event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    onTag(tags);
  }
  return (
    <form className="stack bulk-tags" onSubmit={submit}>
      <Field label="Add tags" hint="Separate with commas">
        {(control) => <input {...control} name="tags" list="bulk-tags" autoComplete="off" />}
      </Field>
      <datalist id="bulk-tags">
        {facets?.tags.map(({ value }) => (
          <option key={value}>{value}</option>
        ))}
      </datalist>
      <Button type="submit" look="primary">
        Add
      </Button>
    </form>
  );
}

/** Ways to choose between conflicting dates. A registrar that reported none settles nothing. */
function SettleOptions({ onSettle }: { onSettle: (op: BulkOperation) => void }) {
  const { value: facets } = useFacets();
  const registrars = facets?.registrars.filter(({ value }) => value !== "-") ?? [];
  return (
    <div className="row-menu">
      <Button look="quiet" onClick={() => onSettle({ kind: "settle", by: "later" })}>
        Use the later date
      </Button>
      <Button look="quiet" onClick={() => onSettle({ kind: "settle", by: "newest" })}>
        Use the date reported last
      </Button>
      {registrars.map(({ value: source }) => (
        <Button
          key={source}
          look="quiet"
          onClick={() => onSettle({ kind: "settle", by: "source", source })}
        >
          Use the date from {source}
        </Button>
      ))}
    </div>
  );
}
