import type { ReactNode } from "react";
import type { Domain } from "../../../shared/contract.ts";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { Tag } from "../../ui/tag.tsx";
import { formatRenewal } from "../../ui/money.ts";
import type { SortKey } from "../filter/view.ts";

/** A column that can be chosen; the name is always there. */
export interface Column {
  key: ColumnKey;
  sort?: SortKey;
  cell: (domain: Domain) => ReactNode;
}

/** Every column, in the order in which they stand. */
export const columnKeys = [
  "registrar",
  "account",
  "owner",
  "expires",
  "autoRenew",
  "renewal",
  "tags",
  "decision",
] as const;

export type ColumnKey = (typeof columnKeys)[number];

/** What is shown until somebody chooses: account and owner stand beneath the registrar. */
export const usualColumns: readonly ColumnKey[] = columnKeys.filter(
  (key) => key !== "account" && key !== "owner",
);

const unknown = <span className="unknown">unknown</span>;

const columns: readonly Column[] = [
  {
    key: "registrar",
    sort: "registrar",
    cell: ({ registrar }) => registrar ?? unknown,
  },
  { key: "account", sort: "account", cell: ({ account }) => account ?? unknown },
  { key: "owner", sort: "owner", cell: ({ owner }) => owner ?? unknown },
  {
    key: "expires",
    sort: "expires",
    cell: ({ expires }) =>
      expires ? (
        <>
          <ExpiryDate day={expires.date} />
          {expires.conflict && <small className="conflict">sources disagree</small>}
        </>
      ) : (
        unknown
      ),
  },
  {
    key: "autoRenew",
    sort: "autoRenew",
    cell: ({ autoRenew }) =>
      autoRenew === null ? unknown : autoRenew ? "on" : <b className="off">off</b>,
  },
  {
    key: "renewal",
    cell: ({ renewal }) => (renewal ? formatRenewal(renewal) : unknown),
  },
  {
    key: "tags",
    cell: ({ tags }) => (
      <span className="tags">
        {tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
      </span>
    ),
  },
  {
    key: "decision",
    sort: "decision",
    cell: ({ decision }) => decision ?? <span className="unknown">open</span>,
  },
];

/**
 * The chosen columns. Account and owner go beneath the registrar where they have none themselves, and
 * on a card, which has none.
 */
export function chooseColumns(chosen: readonly ColumnKey[]): readonly Column[] {
  const beneath = (["account", "owner"] as const).filter((key) => !chosen.includes(key));
  const registrar = (domain: Domain) => {
    const all = [domain.account, domain.owner].filter((text) => text !== null);
    const holder = beneath.map((key) => domain[key]).filter((text) => text !== null);
    return (
      <>
        {domain.registrar ?? unknown}
        {holder.length > 0 && <small className="in-table">{holder.join(" · ")}</small>}
        {all.length > 0 && <small className="on-card">{all.join(" · ")}</small>}
      </>
    );
  };
  const choice = columns.filter(({ key }) => chosen.includes(key));
  return choice.map((column) =>
    column.key === "registrar" ? { key: column.key, sort: "registrar", cell: registrar } : column,
  );
}

/** What each column is called. */
export const columnLabels: Readonly<Record<ColumnKey, string>> = {
  registrar: "Registrar",
  account: "Account",
  owner: "Owner",
  expires: "Expires",
  autoRenew: "Auto-renew",
  renewal: "Renewal",
  tags: "Tags",
  decision: "Decision",
};
