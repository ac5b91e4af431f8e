import { Fragment, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import { type DomainDetail, parseDomainDetail } from "../../../shared/domain-detail.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { DEFAULT_SETTINGS } from "../../../shared/settings.ts";
import { explain, failedResponse, Failure } from "../../session/failure.tsx";
import { hasRole } from "../../session/session-store.ts";
import { ActionButton, ActOnDomains } from "../../register/act-on-domains.tsx";
import { ChangedMark } from "../../register/changed-by.tsx";
import { actionsFor } from "../../register/domain-actions.ts";
import { type ChangeProblem, useDomainChange } from "../../register/domain-change.ts";
import { useResource } from "../../register/resource.tsx";
import { useSettings } from "../../register/suggestions.ts";
import { notifyUndoable } from "../../register/undo.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Checks, FindingList, isUrgent } from "./checks.tsx";
import { findLookAlikes } from "../../ui/look-alike.tsx";
import { formatDay, formatRenewal } from "../../ui/format.ts";
import { Notice, Skeleton } from "../../ui/notice.tsx";
import { DeleteDialog } from "../form/delete-dialog.tsx";
import { DomainDialog } from "../form/domain-dialog.tsx";
import { type Draft, toValues } from "../form/domain-values.ts";
import { Facts } from "./details.tsx";
import { Dates, ExpirySummary } from "./expiry.tsx";
import { History } from "./history.tsx";
import "../../common-editing.ts";
import "./domain.css";

interface Props {
  /** The A-label name or the id. Another domain needs another `key`. */
  name: string;
  /** A page has room for checks, history and notes. */
  isPage?: boolean;
  /** A form of this domain that was open before a reload. */
  draft?: Draft | null;
  /** Receives the Unicode name; the same function between renders. */
  onName?: (unicode: string) => void;
  /** Calls `registerChanged`. */
  onChanged: (domain: Domain) => void;
  onGone: (domain: Domain) => void;
}

/** Everything about one domain, edited in place: its page, or the panel beside the list. */
export default function DomainView({
  name,
  isPage = false,
  draft = null,
  onName,
  onChanged,
  onGone,
}: Props) {
  const url = `/api/domains/${encodeURIComponent(name)}`;
  const { value: detail, error, reload, set } = useResource(url, parseDomainDetail);
  const { value: settings = DEFAULT_SETTINGS } = useSettings();
  const [form, setForm] = useState(draft);
  const [deleting, setDeleting] = useState<Domain>();
  const [problem, setProblem] = useState<ChangeProblem>();
  const place = useRef<HTMLDivElement>(null);
  const show = (domain: Domain) => detail && set({ ...detail, ...domain });
  const { pending, change } = useDomainChange({
    place,
    onSaved,
    onNewer: show,
    onProblem: setProblem,
  });

  const unicode = detail?.unicode;
  useEffect(() => {
    if (unicode !== undefined) onName?.(unicode);
  }, [unicode, onName]);

  // An open form stays even if the domain was deleted.
  if (failedResponse(error).status === 404 && !form) return <NotFound />;
  if (!detail) {
    if (error === undefined) return <Skeleton lines={10} />;
    return <Failure error={error} onRetry={reload} />;
  }

  /** Shows the saved values at once, until all is read again. */
  function onSaved(domain: Domain) {
    show(domain);
    onChanged(domain);
  }

  const wanted = pending.get(detail.id);
  // As they will be once they are saved.
  const { decision = detail.decision, autoRenew = detail.autoRenew } = wanted ?? {};
  const shown = { ...detail, decision, autoRenew };
  const { registrar, owner, renewal } = detail;
  const price = renewal && formatRenewal(renewal);
  const yearly = (renewal?.years ?? 1) > 1 ? price : price && `${price} a year`;
  const actions = new Map(actionsFor(shown).map((action) => [action.id, action]));
  const edit = actions.get("edit");
  const bringBack = actions.get("bring-back");
  return (
    <div ref={place} className="stack domain-view">
      <ActOnDomains
        opened={detail}
        change={(domain, input) => {
          setProblem(undefined);
          change(domain, input);
        }}
        onAsk={(question, domain) => {
          if (question === "delete") setDeleting(domain);
          // A form opened now would edit an old version and conflict with the pending change.
          else if (!wanted) setForm({ base: domain, values: toValues(domain) });
        }}
      >
        <p className="note">
          {Object.entries({ registrar, owner, yearly })
            .filter(([, fact]) => fact)
            .map(([kind, fact], index) => (
              <Fragment key={kind}>
                {index > 0 && " · "}
                <bdi>{fact}</bdi>
              </Fragment>
            ))}
          <ChangedMark domain={detail} />
        </p>
        <NameNotes {...detail} />
        {error !== undefined && (
          <Notice tone="warn">
            This may be out of date. {explain(error)} <Button onClick={reload}>Try again</Button>
          </Notice>
        )}
        {shown.archivedOn && (
          <Notice tone="calm">
            <span>Archived on {formatDay(shown.archivedOn, "long")}.</span>
            {bringBack && <ActionButton action={bringBack} domain={detail} size="small" />}
          </Notice>
        )}
        {detail.vanished && <Vanished {...detail.vanished} />}
        <ExpirySummary detail={shown} problem={problem} leadDays={settings.leadDays} />
        <div className="stack parts">
          <div className="stack">
            <Findings detail={detail} />
            <Dates detail={detail} wanted={wanted} />
            {isPage && !detail.archivedOn && <Checks detail={detail} reload={reload} />}
            {isPage && <History id={detail.id} />}
          </div>
          <div className="stack">
            <Facts detail={shown}>
              {edit && (
                <ActionButton
                  action={edit}
                  domain={detail}
                  look="quiet"
                  aria-disabled={wanted !== undefined}
                />
              )}
            </Facts>
            {isPage && detail.notes && (
              <section aria-labelledby="notes">
                <h2 id="notes">{FIELDS.notes.label}</h2>
                <p className="note domain-notes" dir="auto">
                  {detail.notes}
                </p>
              </section>
            )}
          </div>
        </div>
      </ActOnDomains>
      {form && (
        <DomainDialog
          draft={form}
          onSaved={(domain, _added, operation) => {
            setForm(null);
            notifyUndoable(`Saved ${domain.unicode}.`, operation);
            onSaved(domain);
          }}
          onGone={() => {
            setForm(null);
            reload();
          }}
          onClose={() => setForm(null)}
        />
      )}
      {deleting && (
        <DeleteDialog domain={deleting} onDeleted={onGone} onClose={() => setDeleting(undefined)} />
      )}
    </div>
  );
}

function Findings({ detail }: { detail: DomainDetail }) {
  // The sentence above has the first that is critical.
  const told = detail.findings.find(({ severity }) => severity === "critical");
  const findings = detail.findings.filter((each) => isUrgent(each.severity) && each !== told);
  if (findings.length === 0) return null;
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">Needs attention</h2>
      <FindingList findings={findings} />
    </section>
  );
}

/** A name that left its account stays in the register until a person decides. */
function Vanished({ account, label, since, reason }: NonNullable<DomainDetail["vanished"]>) {
  return (
    <Notice tone="warn">
      <span>
        <b>
          Gone from the {label} account since {formatDay(since, "medium")}.
        </b>{" "}
        {reason ?? "The account does not say why: it may have been moved, transferred or deleted."}
      </span>
      <Link href={`/registrars/accounts/${account}?class=vanished`}>All vanished names</Link>
    </Notice>
  );
}

function NotFound() {
  return (
    <Empty heading="Domain not found">
      <p>It may have been deleted or renamed.</p>
      <Link href="/domains" className="button">
        All domains
      </Link>
      {hasRole("viewer") && (
        <Link href="/domains/bin" className="button">
          Look in the bin
        </Link>
      )}
    </Empty>
  );
}

function NameNotes({ name, unicode }: Domain) {
  return (
    <>
      {name !== unicode && (
        <p className="note">
          In ASCII: <code>{name}</code>
        </p>
      )}
      {findLookAlikes(unicode).map((found) => (
        <Notice key={found.label} tone="warn">
          <span>
            <b>{found.label}</b>{" "}
            {found.kind === "latin"
              ? `looks like “${found.as}”, but has no Latin letters.`
              : `mixes ${found.scripts.join(" and ")}: it can be mistaken for another name.`}
          </span>
        </Notice>
      ))}
    </>
  );
}
