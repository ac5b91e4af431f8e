import { type ComponentProps, useState } from "react";
import { Link } from "wouter";
import type { Undone } from "../../shared/operations.ts";
import type { RecentChange } from "../../shared/register.ts";
import { sourceInWords } from "../../shared/source.ts";
import { listPath } from "../screens.ts";
import { hasRole } from "../session/session-store.ts";
import { actInBackground, useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime, formatDomainCount } from "../ui/format.ts";
import { lazyCode, loadCode } from "../ui/lazy-code.ts";
import { undoOperation, type Way, WAYS } from "./undo.ts";

const UndoDialog = lazyCode(() => import("./dialogs/undo-dialog.tsx"), null);

/** One line: what was done, which leads to its domains, by whom, when, and its way back. */
export function ChangeEntry({ change, time }: { change: RecentChange; time: string }) {
  const { at, by, what, names, domain, back, isUndone, operations } = change;
  const [before = "", after = ""] = what.split("{}");
  const sentence = `${before}${domain?.unicode ?? formatDomainCount(names)}${after}`;
  const text = domain ? (
    <>
      {before && <span>{before}</span>} <bdi>{domain.unicode}</bdi> {after && <span>{after}</span>}
    </>
  ) : (
    <span>{sentence}</span>
  );
  return (
    <li className="change" title={sentence}>
      <Link href={placeOf(change)} className="what">
        {text}
      </Link>
      {isUndone && <span className="pill">undone</span>}
      {back !== null && hasRole("editor") && (
        <UndoButton
          operations={operations}
          way={back}
          look="quiet"
          size="small"
          aria-label={`${WAYS[back].label}: ${sentence}`}
        />
      )}
      <span className="meta">{sourceInWords(by)}</span>
      <time dateTime={at} title={`${sourceInWords(by)}, ${formatDateTime(at)}`}>
        {time}
      </time>
    </li>
  );
}

/** Where the domains of a change are, as far as they still are. */
function placeOf({ kind, domain, account, changes }: RecentChange): string {
  if (account !== null) return `/registrars/accounts/${account}?class=refused`;
  if (kind === "deleted") return "/domains/bin";
  if (domain) return `/domains/${domain.name}`;
  return listPath(new URLSearchParams(changes.map((id) => ["change", id])));
}

interface UndoProps extends ComponentProps<typeof Button> {
  operations: readonly string[];
  way: Way;
}

/** Undoes something. Of several domains, or where something stays, it first says how many. */
export function UndoButton({ operations, way, ...button }: UndoProps) {
  const [plan, setPlan] = useState<Undone>();
  const ids = operations.join();
  const undo = () => undoOperation(ids, way);
  const { run: ask, isBusy } = useAction(() =>
    actInBackground(WAYS[way].failed, async () => {
      const { foretellUndo } = await loadCode(() => import("./run-undo.ts"));
      const found = await foretellUndo(ids);
      if (found.restored > 1 || found.kept.length > 0) setPlan(found);
      else await undo();
    }),
  );
  return (
    <>
      <Button aria-disabled={isBusy} onClick={() => void ask()} {...button}>
        {button.children ?? WAYS[way].label}
      </Button>
      {plan && (
        <UndoDialog way={way} plan={plan} onConfirm={undo} onClose={() => setPlan(undefined)} />
      )}
    </>
  );
}
