import { useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { FIELDS } from "../../shared/fields.ts";
import {
  type Import,
  type ImportDefaults,
  KEPT_BY_HAND,
  ROW_CLASSES,
  ROW_FILTERS,
} from "../../shared/import.ts";
import { explain, failedResponse } from "../session/failure.tsx";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Check, Choice } from "../ui/choice.tsx";
import { formatCount, formatDate, formatDomainCount, formatNumber } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { useStable } from "../ui/store.ts";
import { changeImport, importPath, LeftOutLink, readImport } from "./import-actions.tsx";
import type { ChangeRows } from "./preview-row.tsx";
import { PreviewRows } from "./preview-rows.tsx";
import { rowClassTexts } from "./row-classes.ts";
import { stepHref } from "./steps.tsx";

interface Props {
  preview: Import;
  onSaved: (saved: Import) => void;
  onCommitted: (done: Import) => void;
}

/** Third step: every row by what a commit does with it, and the commit. */
export function PreviewStep({ preview, onSaved, onCommitted }: Props) {
  const { id, counts, remembered } = preview;
  const [, navigate] = useLocation();
  const requested = new URLSearchParams(useSearch()).get("class");
  // The class on screen stays when its last row is left out.
  const [first] = useState(() => ROW_CLASSES.find((name) => counts[name] > 0) ?? "new");
  const shown = ROW_FILTERS.find((name) => name === requested) ?? first;
  /** Grows when all rows of a class have moved, so that their list starts over. */
  const [generation, setGeneration] = useState(0);
  /** Whether the changes on their way are saved. */
  const saved = useRef(NOTHING_TO_SAVE);
  const writes = counts.new + counts.changed;
  const filters = ROW_FILTERS.filter((name) => counts[name] > 0 || name === shown);

  const answered = useRef(preview);
  const show = (now: Import, movesRows = true) => {
    answered.current = now;
    onSaved(now);
    if (movesRows) setGeneration((before) => before + 1);
  };

  const { run, error } = useAction(async (path: string, body: BodyOf, movesRows: boolean) => {
    const options = { method: "PATCH", body: body(answered.current) };
    show(await changeImport(importPath(id) + path, options), movesRows);
    return true;
  });
  /**
   * Changes wait for each other: each is made of the last answer, and the last has the last counts.
   * Behind one that fails none is sent: it would take that error off the screen.
   */
  async function patch(path: string, body: BodyOf, movesRows: boolean): Promise<boolean> {
    const changed = saved.current
      .then((isSaved) => isSaved && run(path, body, movesRows))
      .then(Boolean);
    saved.current = changed;
    await changed;
    // What failed is said by now, and no longer shown as chosen.
    if (saved.current === changed) saved.current = NOTHING_TO_SAVE;
    return changed;
  }
  const change: ChangeRows = useStable((body) => patch("/rows", () => body, "class" in body.skip));
  const choose = (choice: Choose) => {
    const body: BodyOf = ({ defaults }) => ({ defaults: { ...defaults, ...choice(defaults) } });
    void patch("", body, true);
  };

  return (
    <div className="stack">
      <Moves preview={preview} onChange={choose} />
      <SetByHand preview={preview} onChange={choose} />
      <Archived preview={preview} onChange={choose} />
      {counts.losing > 0 && (
        <p>
          {formatCount(counts.losing, "domain is", "domains are")} cancelled, on hold or being
          deleted at the registrar.
        </p>
      )}
      {remembered && (
        <p>
          The columns are matched as they were on {formatDate(remembered)}.{" "}
          <Link href={stepHref(id, "columns")}>Check them</Link>
        </p>
      )}
      {counts.partly > 0 && shown !== "partly" && (
        <Notice tone="warn">
          <span>
            {formatCount(counts.partly, "row has", "rows have")} a value that can’t be read.{" "}
            <Link href={classHref(id, "partly")} replace>
              Show {counts.partly === 1 ? "it" : "them"}
            </Link>
          </span>
        </Notice>
      )}
      <ul className="row" aria-label="Filter rows">
        {filters.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="chip"
              aria-pressed={shown === name}
              onClick={() => navigate(classHref(id, name), { replace: true })}
            >
              {rowClassTexts[name].label} <span>{formatNumber(counts[name])}</span>
            </button>
          </li>
        ))}
      </ul>
      {error !== undefined && <Notice>{explain(error)}</Notice>}
      <PreviewRows
        key={`${shown} ${generation}`}
        id={id}
        shown={shown}
        count={counts[shown]}
        onChange={change}
      />
      <LeftOutLink done={preview} />
      <div className="row bottom">
        {writes > 0 ? (
          <Commit
            id={id}
            writes={writes}
            isSaved={() => saved.current}
            onCommitted={onCommitted}
            onFailed={show}
          />
        ) : (
          <>
            <span className="row note">Nothing to import.</span>
            <Link href="/domains" className="button main">
              All domains
            </Link>
          </>
        )}
      </div>
    </div>
  );
}

const NOTHING_TO_SAVE = Promise.resolve(true);

/** The body of a change, made of the import as it is when its turn has come. */
type BodyOf = (now: Import) => object;

/** What a choice makes of the defaults that are saved by then. */
type Choose = (defaults: ImportDefaults) => ImportDefaults;

interface ChoiceProps {
  preview: Import;
  onChange: (choice: Choose) => void;
}

/** Asks, for each field, whose values stay where a person set them by hand and the file has others. */
function SetByHand({ preview: { counts, defaults }, onChange }: ChoiceProps) {
  const { keepByHand: kept = KEPT_BY_HAND } = defaults;
  const replaced = counts.byHand.filter(({ field }) => field !== "archivedOn");
  const total = replaced.reduce((sum, { domains }) => sum + domains, 0);
  if (total === 0) return null;
  return (
    <div className="stack">
      <p>
        <b>
          {formatCount(total, "value", "values")} that people set by hand{" "}
          {total === 1 ? "differs" : "differ"} in the file.
        </b>
      </p>
      <div className="field-grid">
        {replaced.map(({ field, domains }) => (
          <Choice
            key={field}
            label={`${FIELDS[field].label} of ${formatDomainCount(domains)}`}
            value={kept.includes(field) ? "keep" : "take"}
            options={KEEP_OR_TAKE}
            onChoose={(chosen) =>
              onChange(({ keepByHand: now = KEPT_BY_HAND }) => {
                const others = now.filter((each) => each !== field);
                return { keepByHand: chosen === "keep" ? [...others, field] : others };
              })
            }
          />
        ))}
      </div>
    </div>
  );
}

const KEEP_OR_TAKE = [
  ["keep", "Keep as is"],
  ["take", "Take the file’s"],
] as const;

/** Asks whether archived domains that the file lists come back. */
function Archived({ preview: { counts, defaults }, onChange }: ChoiceProps) {
  const found = counts.byHand.find(({ field }) => field === "archivedOn");
  if (!found) return null;
  const { bringBack = false } = defaults;
  const stay = found.domains === 1 ? "stays" : "stay";
  return (
    <div>
      <p>
        <b>
          {formatDomainCount(found.domains)} in the file {found.domains === 1 ? "is" : "are"}{" "}
          archived
          {!bringBack && `, and ${stay} archived`}.
        </b>
      </p>
      <Check checked={bringBack} onCheck={(on) => onChange(() => ({ bringBack: on }))}>
        Bring {found.domains === 1 ? "it" : "them"} back
      </Check>
    </div>
  );
}

/** The most that a file does: domains change their registrar, or get a second expiry date. */
function Moves({ preview: { counts, defaults }, onChange }: ChoiceProps) {
  const { moves, secondDates } = counts;
  const keeps = defaults.keepRegistrar === true;
  const moving = moves.reduce((sum, { domains }) => sum + domains, 0);
  if (moving + secondDates === 0) return null;
  const from = inWords(moves.map((each) => each.from));
  const one = moving === 1;
  const places = keeps ? `at ${from}` : `from ${from} to ${inWords(moves.map(({ to }) => to))}`;
  const verb = keeps ? (one ? "stays" : "stay") : one ? "moves" : "move";
  const subject = moving > 0 ? formatNumber(secondDates) : formatDomainCount(secondDates);
  return (
    <div>
      <p>
        <b>
          {moving > 0 && `${formatDomainCount(moving)} ${verb} ${places}. `}
          {secondDates > 0 &&
            `${subject} ${secondDates === 1 ? "gets" : "get"} a second expiry date.`}
        </b>
      </p>
      {moving > 0 && (
        <Check checked={keeps} onCheck={(on) => onChange(() => ({ keepRegistrar: on }))}>
          Keep their registrar
        </Check>
      )}
    </div>
  );
}

/** `GoDaddy or Namecheap` */
function inWords(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(new Set(names));
}

function classHref(id: string, name: string): string {
  return `${stepHref(id, "preview")}&class=${name}`;
}

interface CommitProps extends Pick<Props, "onCommitted"> {
  id: string;
  writes: number;
  /** What was chosen last is imported, or nothing. */
  isSaved: () => Promise<boolean>;
  /** The register has changed, and so has what the rows do. */
  onFailed: (preview: Import) => void;
}

function Commit({ id, writes, isSaved, onCommitted, onFailed }: CommitProps) {
  const { run, isBusy, error } = useAction(async () => {
    if (!(await isSaved())) return;
    try {
      // Commits once: a retry after a lost response, also from another tab, returns the result.
      const options = { method: "POST", headers: { "Idempotency-Key": id } };
      onCommitted(await changeImport(`${importPath(id)}/commit`, options));
    } catch (problem) {
      // Another tab, or a request whose response was lost, may have committed it.
      const found = await readImport(id).catch(() => null);
      if (found?.state === "preview") onFailed(found);
      if (!found || found.state === "preview") throw problem;
      onCommitted(found);
    }
  });

  const unanswered = failedResponse(error).status === 0;
  return (
    <>
      {error !== undefined && (
        <Notice>
          {explain(error)} {unanswered && "You can safely try again: nothing is imported twice."}
        </Notice>
      )}
      <output className="row note">
        {isBusy && `Importing ${formatDomainCount(writes)}… `}
        {isBusy && <progress aria-hidden="true" />}
        {!isBusy && !unanswered && "Nothing is saved yet."}
      </output>
      <Button look="main" aria-disabled={isBusy} onClick={run}>
        Import {formatDomainCount(writes)}
      </Button>
    </>
  );
}
