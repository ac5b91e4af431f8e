import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Domain } from "../../contract.ts";
import { Day } from "../../ui/day.tsx";
import { Tag } from "../../ui/tag.tsx";
import { moneyInWords } from "../money.ts";

/** What is known of a name, and what is not. Each value leads to the names that share it. */
export function Facts({ domain }: { domain: Domain }) {
  const { registrar, account, owner, expires, renewal, tags, notes } = domain;
  return (
    <dl className="facts">
      <Fact term="Expires">{expires && <Day day={expires.date} />}</Fact>
      <Fact term="Renewal price">{renewal && moneyInWords(renewal)}</Fact>
      <Fact term="Registrar">{shared("registrar", registrar)}</Fact>
      <Fact term="Account">{shared("account", account)}</Fact>
      <Fact term="Owner">{shared("owner", owner)}</Fact>
      <Fact term="Tags" unknown="none">
        {tags.length > 0 && (
          <span className="tags">
            {tags.map((tag) => (
              <Link key={tag} href={`/domains?tag=${encodeURIComponent(tag)}`}>
                <Tag>{tag}</Tag>
              </Link>
            ))}
          </span>
        )}
      </Fact>
      {notes && (
        <div className="notes">
          <dt>Notes</dt>
          <dd>{notes}</dd>
        </div>
      )}
    </dl>
  );
}

function Fact({
  term,
  unknown = "unknown",
  children,
}: {
  term: string;
  unknown?: string;
  children: ReactNode;
}) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children || <span className="unknown">{unknown}</span>}</dd>
    </div>
  );
}

function shared(filter: "registrar" | "account" | "owner", value: string | null): ReactNode {
  return value && <Link href={`/domains?${filter}=${encodeURIComponent(value)}`}>{value}</Link>;
}
