import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { Domain, DomainDetail, DomainInput } from "../../../shared/domain.ts";
import { FIELDS, fieldsOf } from "../../../shared/fields.ts";
import { HttpError } from "../../http.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { Gate } from "../../session/gate.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { formatDate } from "../../ui/format.ts";
import { findLookAlikes, type LookAlike } from "../../ui/look-alike.ts";
import { formatRenewal } from "../../ui/money.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tag } from "../../ui/tag.tsx";
import { useFocusFallback } from "../../ui/use-focus-fallback.ts";
import { useLoaded } from "../../ui/use-loaded.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { DomainDialog } from "../domain-dialog.tsx";
import { type Draft, readDraft, toValues } from "../domain-values.ts";
import { readDomain } from "../domains-api.ts";
import { Expiry } from "./expiry.tsx";
import { History } from "./history.tsx";
import { useQuickChange } from "./use-quick-change.ts";
import "./domain.css";
import "./details.css";

/** Longer headings are set in a smaller size. */
const MAX_LARGE_HEADING = 80;

/** Screen `/domains/<name>`: everything about one domain, and its history. */
export default function DomainScreen() {
  useFocusFallback();
  const { domain = "" } = useParams();
  return <NamedDomain key={domain} name={domain} />;
}

function NamedDomain({ name }: { name: string }) {
  const [unicode, setUnicode] = useState(name);
  // The server prerenders one page for all names.
  const heading = useSyncExternalStore(
    () => () => undefined,
    () => unicode,
    () => "Domain",
  );
  useEffect(() => {
    // The router sets the title from the address, which has the name in ASCII.
    document.title = document.title.replace(name, () => unicode);
  }, [name, unicode]);

  return (
    <div className="domain">
      <div>
        <Link href="/domains">All domains</Link>
        <h1 tabIndex={-1} className={heading.length > MAX_LARGE_HEADING ? "long" : undefined}>
          {heading}
        </h1>
      </div>
      <Gate waiting={<Skeleton lines={10} />}>
        <Detail name={name} onName={setUnicode} />
      </Gate>
    </div>
  );
}

/** Shows and edits one domain. @param onName Receives the Unicode form of the name. */
function Detail({ name, onName }: { name: string; onName: (unicode: string) => void }) {
  const load = useCallback((signal: AbortSignal) => readDomain(name, signal), [name]);
  const { value: detail, error, reload, setValue: setDetail } = useLoaded(load);
  const [form, setForm] = useState<Draft | null>(() => readDraftOf(name));
  const [deleting, setDeleting] = useState(false);
  const [message, setMessage] = useState("");
  const [, navigate] = useLocation();
  const show = (domain: Domain) => setDetail((now) => now && { ...now, ...domain });
  const { change, ...pending } = useQuickChange(onSaved, show);

  const unicode = detail?.unicode;
  useEffect(() => {
    if (unicode !== undefined) onName(unicode);
  }, [unicode, onName]);

  // An open form stays, even if the domain was deleted.
  if (error instanceof HttpError && error.status === 404 && !form) return <NotFound />;
  if (!detail) {
    if (error === undefined) return <Skeleton lines={10} />;
    return <Failure error={error} onRetry={reload} />;
  }

  /** Shows the saved values at once, and reloads what each source reports. */
  function onSaved(domain: Domain) {
    show(domain);
    setMessage("Saved");
    if (domain.name === name) reload();
    else navigate(`/domains/${domain.name}`, { replace: true });
  }

  const quick = { ...pending, change: (input: DomainInput) => void change(detail, input) };
  /** A form opened now would edit an old version, and conflict with the pending change. */
  const changing = quick.wanted !== undefined;
  return (
    <>
      <NameNotes name={detail.name} unicode={detail.unicode} />
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
          This may be out of date. {explain(error)} <Button onClick={reload}>Try again</Button>
        </Notice>
      )}
      <div className="domain-board">
        <div>
          <Expiry detail={detail} quick={quick} message={message} />
          {detail.notes && (
            <section aria-labelledby="notes">
              <h2 id="notes">{FIELDS.notes.label}</h2>
              <p className="domain-notes">{detail.notes}</p>
            </section>
          )}
        </div>
        <div>
          <Details detail={detail} />
          <History key={detail.version} id={detail.id} />
        </div>
      </div>
      {form && (
        <DomainDialog
          draft={form}
          onSaved={(domain) => {
            setForm(null);
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
        <DeleteDialog
          domain={detail}
          onDeleted={() => navigate("/domains", { replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

function readDraftOf(name: string): Draft | null {
  const draft = readDraft();
  return draft?.base && [draft.base.name, draft.base.id].includes(name) ? draft : null;
}

function NotFound() {
  return (
    <Empty heading="Domain not found">
      <p>It may have been deleted or renamed.</p>
      <Link href="/domains" className="button">
        All domains
      </Link>
    </Empty>
  );
}

/** The ASCII form of an internationalised name, and a warning about each lookalike label. */
function NameNotes({ name, unicode }: { name: string; unicode: string }) {
  return (
    <>
      {name !== unicode && (
        <p className="domain-ascii">
          In ASCII: <code>{name}</code>
        </p>
      )}
      {findLookAlikes(unicode).map((found) => (
        <Notice key={found.label} tone="warn">
          <span>
            <b>{found.label}</b> {describeLookAlike(found)}
          </span>
        </Notice>
      ))}
    </>
  );
}

function describeLookAlike(found: LookAlike): string {
  if (found.kind === "latin") return `looks like “${found.as}”, but has no Latin letters.`;
  return `mixes ${found.scripts.join(" and ")}: it can be mistaken for another name.`;
}

/** The other fields. Labels and tags link to all domains that share them. */
function Details({ detail }: { detail: DomainDetail }) {
  const { renewal, tags, createdAt } = detail;
  return (
    <section aria-labelledby="details">
      <h2 id="details">Details</h2>
      <dl className="details">
        {fieldsOf("label").map((field) => (
          <Item key={field} term={FIELDS[field].label}>
            {detail[field] && (
              <Link href={`/domains?${field}=${encodeURIComponent(detail[field])}`}>
                {detail[field]}
              </Link>
            )}
          </Item>
        ))}
        <Item term={FIELDS.renewal.label}>{renewal && formatRenewal(renewal)}</Item>
        <Item term={FIELDS.tags.label} missing="None">
          {tags.length > 0 && (
            <span className="tags">
              {tags.map((tag) => (
                <Link key={tag} href={`/domains?tag=${encodeURIComponent(tag)}`}>
                  <Tag>{tag}</Tag>
                </Link>
              ))}
            </span>
          )}
        </Item>
        <Item term="Added">
          <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        </Item>
      </dl>
    </section>
  );
}

interface ItemProps {
  term: string;
  missing?: string;
  children: ReactNode;
}

function Item({ term, missing = "Unknown", children }: ItemProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children || <span className="unknown">{missing}</span>}</dd>
    </div>
  );
}
