import { useEffect, useEffectEvent, useState } from "react";
import type { Day } from "../../../shared/day.ts";
import { DECISION_LABELS, type Decision } from "../../../shared/domain.ts";
import * as p from "../../../shared/parse.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import { parseConflicts, type Settling } from "../../../shared/settling.ts";
import { foldLabel, LIMITS, splitTags } from "../../../shared/text.ts";
import {
  BulkConfirmation,
  type BulkDialogProps as Props,
  settledInWords,
  useBulkChange,
} from "../../register/dialogs/bulk-change.tsx";
import RenewedDialog from "../../register/dialogs/renewed-dialog.tsx";
import { changeDomains, toBulkSelection } from "../../register/domains-api.ts";
import { FormDialog } from "../../register/form.tsx";
import { type Loadable, Loaded } from "../../register/resource.tsx";
import { useFacets } from "../../register/suggestions.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { callApi } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Check } from "../../ui/choice.tsx";
import { formatCount, formatDomainCount } from "../../ui/format.ts";
import { DeleteConfirmation } from "../form/delete-dialog.tsx";
import { findDomains } from "../listing.ts";
import { type Renamed, useList } from "./list-context.ts";

export function BulkDeleteDialog({ target, onDone, onClose }: Props) {
  const { domains, outcome, change } = useBulkChange(target, onDone);
  return (
    <DeleteConfirmation
      what={domains}
      action={`Delete ${domains}`}
      onAction={() => change({ kind: "delete" })}
      onClose={onClose}
    >
      {outcome}
    </DeleteConfirmation>
  );
}

export function BulkDecideDialog(props: Props & { decision: Decision | null }) {
  const { target, decision } = props;
  const { listing } = useList();
  const known = findDomains(listing, target.ids ?? []);
  const decided = Map.groupBy(known, (domain) => domain.decision);
  const counts = [...decided].filter(([before]) => before !== null && before !== decision);
  const words = counts.map(
    ([before, { length }]) =>
      `${formatCount(length, "is", "are")} marked ${DECISION_LABELS[before ?? "-"]}`,
  );
  const isKnown = target.ids?.length === known.length;
  const replaced =
    isKnown && (words.length > 0 ? `${words.join(", ")}.` : "No other decision is replaced.");
  return (
    <BulkConfirmation
      {...props}
      op={{ kind: "edit", decision }}
      action={(domains) => `Mark ${domains} ${DECISION_LABELS[decision ?? "-"]}`}
    >
      <p>{replaced || "This replaces what was decided for them before."}</p>
    </BulkConfirmation>
  );
}

export function BulkArchiveDialog({ archivedOn, ...props }: Props & { archivedOn: Day | null }) {
  return (
    <BulkConfirmation
      {...props}
      op={{ kind: "edit", archivedOn }}
      action={(domains) => (archivedOn ? `Archive ${domains}` : `Bring ${domains} back`)}
    >
      {archivedOn && <p>They leave lists, totals, reminders and checks. Their history stays.</p>}
    </BulkConfirmation>
  );
}

export function BulkRenewedDialog(props: Props) {
  const { listing } = useList();
  const { ids } = props.target;
  return <RenewedDialog {...props} {...(ids && { domains: findDomains(listing, ids) })} />;
}

const DONE: readonly (readonly [label: string, op: BulkOperation])[] = [
  ["Auto-renew is off at the registrar", { kind: "edit", autoRenew: false }],
  ["Everything: wait for a new expiry date", { kind: "done" }],
];

export function BulkDoneDialog({ target, onDone, onClose }: Props) {
  const [chosen, setChosen] = useState<BulkOperation>();
  const foretold = useQuestion(() =>
    Promise.all(DONE.map(([, op]) => changeDomains(target, op, "bulk/foretell"))),
  );
  const count = foretold.value?.[DONE.findIndex(([, op]) => op === chosen)]?.changed ?? 0;
  const { changing, outcome, change } = useBulkChange(target, onDone, count);

  return (
    <ActionDialog
      heading="What is done?"
      action={changing > 0 ? `Done for ${formatDomainCount(changing)}` : "Done"}
      busyAction="Saving…"
      foot={outcome}
      onAction={() => chosen && change(chosen)}
      onClose={onClose}
    >
      <Loaded of={foretold} lines={2}>
        {(results) =>
          DONE.map(([label, op], at) => {
            const changed = results[at]?.changed ?? 0;
            return (
              <Check
                key={label}
                type="radio"
                name="done"
                required
                disabled={changed === 0}
                onCheck={() => setChosen(op)}
              >
                <span>
                  {label} <small>{changed ? formatDomainCount(changed) : "no changes"}</small>
                </span>
              </Check>
            );
          })
        }
      </Loaded>
    </ActionDialog>
  );
}

/** Reads up to 20,000 domains. */
const SETTLE_TIMEOUT_MS = 60_000;

export function BulkSettleDialog({ target, onDone, onClose }: Props) {
  const [chosen, setChosen] = useState<Settling>();
  const conflicts = useQuestion(() => {
    const body = { select: toBulkSelection(target) };
    const options = { method: "POST", body, parse: parseConflicts, timeout: SETTLE_TIMEOUT_MS };
    return callApi("/api/domains/conflicts", options);
  });
  const count = conflicts.value?.domains ?? 0;
  const { outcome, change } = useBulkChange(target, onDone, count);

  return (
    <ActionDialog
      heading="Use the date from…"
      action={count > 0 ? "Use this date" : undefined}
      foot={conflicts.value && outcome}
      onAction={() => chosen && change({ kind: "settle", ...chosen })}
      onClose={onClose}
    >
      <Loaded of={conflicts} lines={5}>
        {({ domains, settlings }) =>
          domains === 0 ? (
            <p>None of these domains has conflicting dates.</p>
          ) : (
            <fieldset className="stack">
              <legend>Use for {formatDomainCount(domains)} with conflicting dates</legend>
              {settlings.map(({ source, ...settling }) => {
                const { by } = settling;
                const way: Settling = by === "source" ? { by, source: source ?? "" } : { by };
                return (
                  <Check
                    key={`${by} ${source}`}
                    type="radio"
                    name="way"
                    required
                    onCheck={() => setChosen(way)}
                  >
                    <span>
                      {settledInWords(way)} <small>{countsInWords(settling)}</small>
                    </span>
                  </Check>
                );
              })}
            </fieldset>
          )
        }
      </Loaded>
    </ActionDialog>
  );
}

function countsInWords({ domains, changes }: { domains: number; changes: number }): string {
  const dates = formatCount(changes, "date changes", "dates change");
  return `${formatDomainCount(domains)}${changes === 0 ? ": keeps the dates in use" : `, ${dates}`}`;
}

/** Asks the server once what it would do: a resource of a request that has a body. */
function useQuestion<T>(ask: () => Promise<T>): Loadable<T> {
  const [value, setValue] = useState<T>();
  const { run, error } = useAction(async () => setValue(await ask()));
  const reload = () => void run();
  const read = useEffectEvent(reload);
  useEffect(() => read(), []);
  return { value, error, reload };
}

export function BulkTagDialog({ target, onDone, onClose }: Props) {
  const { domains, outcome, change } = useBulkChange(target, onDone, 0);
  const { value: facets } = useFacets();
  return (
    <FormDialog
      label={`Tag ${domains}`}
      action="Add tags"
      fields={[
        {
          name: "tags",
          label: "Add tags",
          hint: "Separate with commas",
          required: true,
          suggestions: facets?.tags.map(({ value }) => [value, value] as const),
        },
      ]}
      onSend={async ({ tags = "" }) => {
        const addTags = splitTags(tags);
        if (addTags.length === 0) {
          throw new p.ParseError([{ pointer: "/tags", code: "required", detail: "Enter a tag." }]);
        }
        await change({ kind: "edit", addTags });
      }}
      onClose={onClose}
    >
      {outcome}
    </FormDialog>
  );
}

/** Gives an account, an owner or a tag another name in all its domains; one in use merges the two. */
export function BulkRenameDialog(props: Props & Renamed) {
  const { target, field, from, onDone, onClose } = props;
  const { domains, outcome, change } = useBulkChange(target, onDone, 0);
  const [typed, setTyped] = useState("");
  const { value: facets } = useFacets();
  const others = facets?.[`${field}s`].filter(({ value }) => value !== from);
  const into = others?.find(({ value }) => foldLabel(value) === foldLabel(typed))?.value;
  return (
    <FormDialog
      label={`Rename ${from}`}
      action={into === undefined ? `Rename for ${domains}` : `Merge ${domains} into ${into}`}
      fields={[
        {
          name: "to",
          label: "New name",
          hint: "An existing name merges the two. Views, reminders and people’s limits follow.",
          required: true,
          suggestions: others?.map(({ value }) => [value, value] as const),
          maxLength: LIMITS.label,
          onType: setTyped,
        },
      ]}
      onSend={async () => {
        const to = into ?? typed.trim();
        if (to === "") {
          throw new p.ParseError([{ pointer: "/to", code: "required", detail: "Enter a name." }]);
        }
        if (field === "tag" && foldLabel(to) === foldLabel(from)) {
          const detail = "Tags that differ only in capital letters are the same tag.";
          throw new p.ParseError([{ pointer: "/to", code: "same", detail }]);
        }
        const edit = field === "tag" ? { addTags: [to], removeTags: [from] } : { [field]: to };
        await change({ kind: "edit", ...edit });
      }}
      onClose={onClose}
    >
      {outcome}
    </FormDialog>
  );
}
