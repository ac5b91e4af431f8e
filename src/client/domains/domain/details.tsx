import type { ReactNode } from "react";
import { Link } from "wouter";
import { DECISION_LABELS } from "../../../shared/domain.ts";
import type { DomainDetail } from "../../../shared/domain-detail.ts";
import {
  type Field,
  FIELDS,
  isHidden,
  isLabelField,
  LABEL_FIELDS,
  type LabelField,
} from "../../../shared/fields.ts";
import { labelTerm } from "../../../shared/filter-term.ts";
import { handledInWords } from "../../register/expiry-words.ts";
import { listPath } from "../../screens.ts";
import { hasRole } from "../../session/session-store.ts";
import { formatValue } from "../../register/format-value.ts";
import { formatDate, formatRenewal } from "../../ui/format.ts";
import { RARE_FIELDS } from "../form/field-kinds.tsx";

/** Fields in their order; custom fields follow, each under its name. */
const FACTS: readonly Field[] = [
  "registrar",
  "owner",
  "renewal",
  "autoRenew",
  "decision",
  ...LABEL_FIELDS.filter((field) => field !== "registrar" && field !== "owner"),
  "person",
  "tags",
  ...RARE_FIELDS.filter((field) => field !== "custom"),
];

interface Props {
  detail: DomainDetail;
  /** What stands at the end of the heading. */
  children: ReactNode;
}

/** What is known. Labels and tags link to all domains that share them. */
export function Facts({ detail, children }: Props) {
  const { createdAt, updatedAt, custom, handled } = detail;
  const fields = FACTS.filter((field) => {
    const isKnown = detail[field] !== null && String(detail[field]) !== "";
    const isSeen = !isHidden(field) || hasRole("viewer");
    return isKnown || (isSeen && !(field === "person" || RARE_FIELDS.includes(field)));
  });
  const handling = handledInWords(handled);
  const isYearly = ((detail.renewal ?? detail.listPrice)?.years ?? 1) === 1;
  return (
    <section aria-labelledby="facts">
      <div className="row facts-head">
        <h2 id="facts">Facts</h2>
        {children}
      </div>
      <dl className="list lines">
        {fields.map((field) => (
          <Item
            key={field}
            term={field === "renewal" && isYearly ? "Per year" : FIELDS[field].label}
          >
            {renderValue(detail, field)}
          </Item>
        ))}
        {handling && (
          <Item term={FIELDS.handled.label}>
            {handling} by {handled?.by}
          </Item>
        )}
        {Object.entries(custom).map(([name, text]) => (
          <Item key={`custom ${name}`} term={name}>
            {text}
          </Item>
        ))}
        <Item term="Added">
          <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        </Item>
        <Item term="Changed">
          <time dateTime={updatedAt}>{formatDate(updatedAt)}</time>
        </Item>
      </dl>
    </section>
  );
}

function renderValue(detail: DomainDetail, field: Field): ReactNode {
  const { renewal, listPrice, registrar, loginUrl } = detail;
  if (field === "tags") {
    return (
      detail.tags.length > 0 && (
        <span className="row">
          {detail.tags.map((tag) => linkTo("tag", tag, <span className="tag">{tag}</span>))}
        </span>
      )
    );
  }
  if (field === "renewal") {
    if (renewal) return formatRenewal(renewal);
    return listPrice && `${formatRenewal(listPrice)}, list price`;
  }
  if (field === "decision") return DECISION_LABELS[detail.decision ?? "-"];
  if (field === "person") {
    const { person } = detail;
    return person && <Link href={`/domains?person=${person.id}`}>{person.name}</Link>;
  }
  if (isLabelField(field)) {
    const label = detail[field];
    return (
      label && (
        <>
          {linkTo(field, label)}
          {field === "registrar" && loginUrl && (
            <>
              {" · "}
              <a href={loginUrl} target="_blank" rel="noreferrer">
                Log in there<span className="unseen"> (at {registrar}, opens a new tab)</span>
              </a>
            </>
          )}
        </>
      )
    );
  }
  const value = detail[field];
  if (value === null) return null;
  return typeof value === "boolean" ? (value ? "On" : "Off") : formatValue(value, "medium");
}

function linkTo(filter: LabelField | "tag", label: string, content: ReactNode = label) {
  return (
    <Link key={label} href={listPath({ [filter]: labelTerm(label) })}>
      {content}
    </Link>
  );
}

function Item({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="note">{term}</dt>
      <dd>{children || <span className="none">Unknown</span>}</dd>
    </div>
  );
}
