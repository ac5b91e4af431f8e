import type { ReactNode } from "react";
import { Link } from "wouter";
import type { DomainDetail } from "../../../shared/domain-detail.ts";
import {
  type Field,
  FIELD_NAMES,
  FIELDS,
  fieldsOf,
  isLabelField,
  type LabelField,
  RARE_FIELDS,
} from "../../../shared/fields.ts";
import { formatTerm } from "../../../shared/filter.ts";
import { listPath } from "../../screens.ts";
import { formatDate, formatRenewal, formatValue } from "../../ui/format.ts";
import "./details.css";

/** Fields without another place on the page. Custom fields follow, each under its name. */
const DETAILS = new Set<Field>([...fieldsOf("label", "person", "price", "tags"), ...RARE_FIELDS]);

/** Labels and tags link to all domains that share them. */
export function Details({ detail }: { detail: DomainDetail }) {
  const { createdAt, updatedAt, custom } = detail;
  const fields = FIELD_NAMES.filter((field) => {
    const isKnown = detail[field] !== null && String(detail[field]) !== "";
    const isRare = field === "person" || RARE_FIELDS.includes(field);
    return DETAILS.has(field) && field !== "custom" && (isKnown || !isRare);
  });
  return (
    <section aria-labelledby="details">
      <h2 id="details">Details</h2>
      <dl className="details">
        {fields.map((field) => (
          <Item key={field} term={FIELDS[field].label}>
            {renderValue(detail, field)}
          </Item>
        ))}
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
    return detail.tags.length === 0 ? (
      <span className="unknown">None</span>
    ) : (
      <span className="row">
        {detail.tags.map((tag) => (
          <LabelLink key={tag} filter="tag" label={tag}>
            <span className="tag">{tag}</span>
          </LabelLink>
        ))}
      </span>
    );
  }
  if (field === "renewal") {
    if (renewal) return formatRenewal(renewal);
    return listPrice && `${formatRenewal(listPrice)}, list price`;
  }
  if (field === "person") {
    const { person } = detail;
    return person && <Link href={`/domains?person=${person.id}`}>{person.name}</Link>;
  }
  if (isLabelField(field)) {
    const label = detail[field];
    return (
      label && (
        <>
          <LabelLink filter={field} label={label}>
            {label}
          </LabelLink>
          {field === "registrar" && loginUrl && (
            <>
              {" · "}
              <a href={loginUrl} target="_blank" rel="noreferrer">
                Sign in there<span className="unseen"> (at {registrar}, opens a new tab)</span>
              </a>
            </>
          )}
        </>
      )
    );
  }
  const value = detail[field];
  return typeof value === "boolean" ? (value ? "On" : "Off") : formatValue(value);
}

interface LabelLinkProps {
  filter: LabelField | "tag";
  label: string;
  children: ReactNode;
}

function LabelLink({ filter, label, children }: LabelLinkProps) {
  const term = formatTerm({ not: false, match: "is", text: label });
  return <Link href={listPath({ [filter]: term })}>{children}</Link>;
}

function Item({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="note">{term}</dt>
      <dd>{children || <span className="unknown">Unknown</span>}</dd>
    </div>
  );
}
