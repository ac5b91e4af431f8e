import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Domain, DomainInput } from "../../../shared/contract.ts";
import { HttpError } from "../../http.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DeleteDialog } from "../edit/delete-dialog.tsx";
import { DomainDialog } from "../edit/domain-dialog.tsx";
import { toValues } from "../domain-values.ts";
import { type Draft, readDraft } from "../edit/draft.ts";
import { Expiry } from "./expiry.tsx";
import { Facts } from "./facts.tsx";
import { History } from "./history.tsx";
import { NameForms } from "./name-forms.tsx";
import { useDetail } from "./use-detail.ts";
import { useQuickChange } from "./use-quick-change.ts";

/** One name, read and changed. @param onKnown Told how people write the name. */
export function Detail({ name, onKnown }: { name: string; onKnown: (unicode: string) => void }) {
  const { detail, error, setDetail, reload } = useDetail(name);
  const [form, setForm] = useState<Draft | null>(() => draftOf(name));
  const [deleting, setDeleting] = useState(false);
  const [said, say] = useState("");
  const [, navigate] = useLocation();
  const { change, ...shown } = useQuickChange({
    onSaved: saved,
    onNewer: (domain) => setDetail((now) => now && { ...now, ...domain }),
  });

  const unicode = detail?.unicode;
  useEffect(() => {
    if (unicode !== undefined) onKnown(unicode);
  }, [unicode, onKnown]);

  // What is being typed stays in sight, whatever became of the name.
  if (error instanceof HttpError && error.status === 404 && !form) return <Missing />;
  if (!detail) {
    if (error === undefined) return <Skeleton lines={10} />;
    return <Failure error={error} onRetry={() => reload(name)} />;
  }

  /** What was saved counts at once; what the sources say of it now is asked for again. */
  function saved(domain: Domain) {
    setDetail((now) => now && { ...now, ...domain });
    say(`${domain.unicode} was saved.`);
    if (domain.name === name) reload(name);
    else navigate(`/domains/${domain.name}`, { replace: true });
  }

  const quick = { ...shown, change: (input: DomainInput) => void change(detail, input) };
  /** A form on a version that is about to be gone would lose against the person's own choice. */
  const changing = quick.wished !== undefined;
  return (
    <>
      <NameForms name={detail.name} unicode={detail.unicode} />
      <div className="domain-tools">
        <Button
          look="primary"
          aria-disabled={changing}
          onClick={() => changing || setForm({ base: detail, values: toValues(detail) })}
        >
          Edit
        </Button>
        <Button onClick={() => setDeleting(true)}>Delete</Button>
      </div>
      {error !== undefined && (
        <Notice tone="warn">
          This may be out of date. {explain(error)}{" "}
          <Button onClick={() => reload(name)}>Try again</Button>
        </Notice>
      )}
      <div className="domain-board">
        <div>
          <Expiry detail={detail} quick={quick} said={said} />
          {detail.notes && (
            <section aria-labelledby="notes">
              <h2 id="notes">Notes</h2>
              <p className="domain-notes">{detail.notes}</p>
            </section>
          )}
        </div>
        <div>
          <Facts detail={detail} />
          <History key={detail.version} id={detail.id} />
        </div>
      </div>
      {form && (
        <DomainDialog
          draft={form}
          onSaved={(domain) => {
            setForm(null);
            saved(domain);
          }}
          onGone={() => {
            setForm(null);
            reload(name);
          }}
          onClose={() => setForm(null)}
        />
      )}
      {deleting && (
        <DeleteDialog
          domain={detail}
          onDeleted={() => navigate("/domains", { replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

function Missing() {
  return (
    <Empty heading="This name is not in the register">
      <p>It may have been deleted, renamed, or never added.</p>
      <Link href="/domains" className="button">
        Show every name
      </Link>
    </Empty>
  );
}

/** What was being typed about this name, and not about another, before a reload. */
function draftOf(name: string): Draft | null {
  const draft = readDraft();
  return draft?.base && [draft.base.name, draft.base.id].includes(name) ? draft : null;
}
