import type { ReactNode } from "react";
import type { Domain, Money, Renewal } from "../../../shared/domain.ts";
import { type Field, FIELD_NAMES } from "../../../shared/fields.ts";
import { filterValueInWords } from "../../../shared/filter.ts";
import { tryStorage } from "../../ui/try-storage.ts";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { formatValue } from "../../ui/format.ts";
import { formatRenewalParts } from "../../ui/money.ts";
import { Tag } from "../../ui/tag.tsx";

/** A column that can be chosen. The name is always shown; notes, custom fields, what was done never. */
export type Column = Exclude<Field, "name" | "notes" | "custom" | "doneFor">;

/** All columns, in the order in which they are shown. */
export const COLUMNS = FIELD_NAMES.filter(
  (field) => field !== "name" && field !== "notes" && field !== "custom" && field !== "doneFor",
);

/** The columns that are shown unless others are chosen. */
const DEFAULT_COLUMNS: ReadonlySet<Column> = new Set<Column>([
  "registrar",
  "expires",
  "autoRenew",
  "renewal",
  "tags",
  "decision",
]);

/** Key in local storage of the chosen columns, separated by commas. */
const STORAGE_KEY = "columns";

/** Reads the columns chosen on this device. By default account and owner go below the registrar. */
export function readColumns(): readonly Column[] {
  const stored = tryStorage(() => localStorage.getItem(STORAGE_KEY))?.split(",");
  return COLUMNS.filter((column) =>
    stored ? stored.includes(column) : DEFAULT_COLUMNS.has(column),
  );
}

export function storeColumns(columns: readonly Column[]): void {
  tryStorage(() => localStorage.setItem(STORAGE_KEY, columns.join(",")));
}

const unknown = <span className="unknown">Unknown</span>;

type RenderCell = (domain: Domain, columns: readonly Column[]) => ReactNode;

/** The contents of each cell. `columns` are those shown: what has none goes below the registrar. */
export const CELLS: Readonly<Record<Column, RenderCell>> = {
  registrar: renderRegistrar,
  account: ({ account }) => account ?? unknown,
  owner: ({ owner }) => owner ?? unknown,
  expires: ({ expires }) =>
    expires ? (
      <>
        <ExpiryDate day={expires.date} />
        {expires.conflict && <small className="conflict">Conflicting dates</small>}
      </>
    ) : (
      unknown
    ),
  autoRenew: ({ autoRenew }) =>
    autoRenew === null ? unknown : autoRenew ? "On" : <b className="off">Off</b>,
  renewal: ({ renewal }) => (renewal ? <RenewalCell renewal={renewal} /> : unknown),
  tags: ({ tags }) => (
    <span className="tags">
      {tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </span>
  ),
  decision: ({ decision }) =>
    decision ? (
      filterValueInWords("decision", decision)
    ) : (
      <span className="unknown">Undecided</span>
    ),
  registeredOn: ({ registeredOn }) => renderValue(registeredOn),
  status: ({ status }) => renderValue(status),
  locked: ({ locked }) => renderValue(locked),
  privacy: ({ privacy }) => renderValue(privacy),
  nameservers: ({ nameservers }) => nameservers.join(", "),
  purchasePrice: ({ purchasePrice }) => renderValue(purchasePrice),
  purchasedOn: ({ purchasedOn }) => renderValue(purchasedOn),
  askingPrice: ({ askingPrice }) => renderValue(askingPrice),
  soldPrice: ({ soldPrice }) => renderValue(soldPrice),
  soldOn: ({ soldOn }) => renderValue(soldOn),
};

function renderValue(value: string | boolean | Money | null): ReactNode {
  return value === null ? unknown : formatValue(value);
}

/** Every part has a line of its own: all rows have to be of one height. */
function RenewalCell({ renewal }: { renewal: Renewal }) {
  const { amount, period, missing } = formatRenewalParts(renewal);
  return (
    <>
      {amount}
      {period && <small>{period}</small>}
      {missing && <small>{missing}</small>}
    </>
  );
}

/** A card shows account and owner below the registrar in any case. */
function renderRegistrar(domain: Domain, columns: readonly Column[]): ReactNode {
  const fields = ["account", "owner"] as const;
  const join = (shown: readonly (typeof fields)[number][]) =>
    shown
      .map((field) => domain[field])
      .filter((value) => value !== null)
      .join(" · ");
  const inTable = join(fields.filter((field) => !columns.includes(field)));
  const onCard = join(fields);
  return (
    <>
      {domain.registrar ?? unknown}
      {inTable && <small className="in-table">{inTable}</small>}
      {onCard && <small className="on-card">{onCard}</small>}
    </>
  );
}
