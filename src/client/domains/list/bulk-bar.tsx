import { useLocation } from "wouter";
import * as p from "../../../shared/parse.ts";
import { parseYearlyCosts } from "../../../shared/facets.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import { withoutLapsed } from "../../../shared/view.ts";
import { bulkResultInWords } from "../../register/dialogs/bulk-change.tsx";
import { type BulkTarget, changeDomains, DOMAINS_PATH } from "../../register/domains-api.ts";
import { useResource } from "../../register/resource.tsx";
import { registerChanged } from "../../register/undo.ts";
import { explain, failedResponse } from "../../session/failure.tsx";
import { hasRole } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { formatAmount, formatDomainCount, formatNumber, localToday } from "../../ui/format.ts";
import { notify } from "../../ui/notifications.ts";
import { type BulkAction, bulkActionsFor } from "./bulk-actions.tsx";
import { idsBetween, type Listing } from "../listing.ts";
import { BULK_ACTIONS_ID, type BulkDialog, useList, useMedia } from "./list-context.ts";
import { focusRowInHand } from "./panel.tsx";
import { EMPTY_SELECTION } from "./selection.ts";
import { findRowsOnScreen } from "./use-row-window.ts";

const MAX_BUTTONS = 4;

/** Up to this width the actions for selected domains are one menu. */
const NARROW = "(max-width: 56rem)";

type Item = Pick<BulkAction, "id" | "label" | "run">;

const parseChecks = p.object({ on: p.boolean });

/** Changes the selected domains without a dialog. */
function useBulkRun() {
  const { bulk, onBulkDone } = useList();
  const [, navigate] = useLocation();
  async function change(target: BulkTarget, op: BulkOperation): Promise<void> {
    try {
      const result = await changeDomains(target, op);
      // The bar had the focus and is about to go.
      focusRowInHand();
      onBulkDone(bulkResultInWords(op, result), result.operation);
    } catch (error) {
      const text = `${op.kind === "check" ? "" : "Nothing was changed. "}${explain(error)}`;
      const { status, problem } = failedResponse(error);
      const count = status === 409 && target.ids ? Number(problem?.count ?? 0) : 0;
      if (count > 0) {
        // Others have deleted some, which a list that is not loaded whole cannot know.
        const onAction = () => run({ ...target, count }, op);
        notify({ text, action: { label: `Continue with ${formatNumber(count)}`, onAction } });
      } else if (op.kind === "check") {
        notify({ text, action: { label: "Live checks", onAction: () => navigate("/checks") } });
      } else notify({ text });
      registerChanged();
    }
  }
  const run = (target: BulkTarget, op: BulkOperation) => void bulk.run(() => change(target, op));
  return run;
}

/**
 * How many domains are selected, their cost, and the bulk actions. It comes before the rows in the
 * markup, so that keyboard users need not go through all of them.
 */
export function BulkBar({ listing }: { listing: Listing }) {
  const { selection, select, ask, bulk, ...list } = useList();
  const run = useBulkRun();
  const view = withoutLapsed(list.view);
  const { value: checks } = useResource(hasRole("viewer") ? "/api/checks" : null, parseChecks);
  const isNarrow = useMedia(NARROW);
  const total = listing.total;
  const ids = selection && [...selection];
  const target = { filter: view.filter, ids, count: ids?.length ?? total };
  const screen = {
    view,
    target,
    ask: (dialog: BulkDialog) => ask({ kind: "bulk", dialog, target }),
    change: (op: BulkOperation) => run(target, op),
  };
  const other: Item | false = !selection
    ? total > document.querySelectorAll("tbody > tr[aria-rowindex]").length && {
        id: "scope",
        // Without their number: following it would lay out the page at each step of scrolling.
        label: "Only those on the screen",
        run: () => select(() => new Set(idsBetween(listing, ...findRowsOnScreen()))),
      }
    : target.count < total && {
        id: "scope",
        label: `Select all ${formatNumber(total)} that match`,
        run: () => select(() => null),
      };
  const actions = bulkActionsFor(view, checks?.on ?? false);
  const buttons = (some: readonly Item[], look: "plain" | "quiet") =>
    some.map((action) => (
      <Button
        key={action.id ?? action.label}
        look={look}
        aria-disabled={bulk.isBusy}
        onClick={() => bulk.isBusy || action.run(screen)}
      >
        {action.label}
      </Button>
    ));
  return (
    <section className="bulk-bar" aria-label="Selected domains">
      <p>
        <output>
          {selection
            ? `${formatDomainCount(selection.size)} selected`
            : `All ${formatDomainCount(total)} that match are selected`}
        </output>
        {/* Not read at each step. */}
        {selection ? formatSelectionCost(listing, selection) : <CostOfAll view={listing.view} />}
      </p>
      {other && !isNarrow && buttons([other], "quiet")}
      <div className="row" id={BULK_ACTIONS_ID}>
        {!isNarrow && buttons(actions.slice(0, MAX_BUTTONS), "plain")}
        {(isNarrow || actions.length > MAX_BUTTONS) && (
          <Dropdown label={isNarrow ? "Actions" : "More"}>
            <div className="menu">
              {isNarrow && other && buttons([other], "quiet")}
              {buttons(actions.slice(isNarrow ? 0 : MAX_BUTTONS, -1), "quiet")}
              {/* Deleting, the last one, stands apart. */}
              {actions.length > 1 && <hr />}
              {buttons(actions.slice(-1), "quiet")}
            </div>
          </Dropdown>
        )}
        <Button
          look="quiet"
          onClick={() => {
            focusRowInHand();
            select(() => EMPTY_SELECTION);
          }}
        >
          Clear
        </Button>
      </div>
    </section>
  );
}

function CostOfAll({ view }: { view: string }) {
  const query = new URLSearchParams(view);
  query.set("today", localToday());
  const { value } = useResource(`${DOMAINS_PATH}/cost?${query}`, parseYearlyCosts);
  return value && formatYearlyCosts(value.costs);
}

function formatSelectionCost({ rows }: Listing, ids: ReadonlySet<string>): string {
  const sums = new Map<string | null, number>();
  for (const row of rows.values()) {
    if (!row.price || !ids.has(row.id)) continue;
    const { minor, currency, years } = row.price;
    sums.set(currency, (sums.get(currency) ?? 0) + minor / (years ?? 1));
  }
  return formatYearlyCosts([...sums].map(([currency, minor]) => ({ currency, minor })));
}

/** Formats yearly costs: ` · €812.00 + $40.00/year`; empty without any. */
function formatYearlyCosts(costs: readonly { currency: string | null; minor: number }[]): string {
  const sums = costs.map(({ currency, minor }) => formatAmount(Math.round(minor), currency));
  return sums.length === 0 ? "" : ` · ${sums.join(" + ")}/year`;
}
