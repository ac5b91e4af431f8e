import type { ReactNode } from "react";
import { Link } from "wouter";
import type { DomainDetail } from "../../../shared/contract.ts";
import { Tag } from "../../ui/tag.tsx";
import { formatRenewal } from "../../ui/money.ts";
import "./facts.css";

/** What is known of a name, and what is not. Each value leads to the names that share it. */
export function Facts({ detail }: { detail: DomainDetail }) {
  const { registrar, account, owner, renewal, tags, createdAt } = detail;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">What is known</h2>
      <dl className="facts">
        <Fact term="Registrar">{shared("registrar", registrar)}</Fact>
        <Fact term="Account">{shared("account", account)}</Fact>
        <Fact term="Owner">{shared("owner", owner)}</Fact>
        <Fact term="Renewal price">{renewal && formatRenewal(renewal)}</Fact>
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
        <Fact term="Here since">
          <time dateTime={createdAt}>
            {new Date(createdAt).toLocaleDateString(undefined, { dateStyle: "medium" })}
          </time>
        </Fact>
      </dl>
    </section>
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
