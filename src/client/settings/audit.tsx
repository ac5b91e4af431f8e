import { AUDIT_ACTIONS, type AuditEntry, parseAuditPage } from "../../shared/audit.ts";
import { Loaded, usePages } from "../register/resource.tsx";
import { formatDateTime } from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";

/** Screen `/settings/audit`: who did what, from where and when; the newest first. */
export function Audit() {
  return (
    <section>
      <p>
        Sign-ins, people and access in the last 12 months. Each domain has a history of its own.
      </p>
      <Loaded of={usePages("/api/audit", parseAuditPage)} lines={8} more="Show older entries">
        {({ items }) =>
          items.length === 0 ? (
            <p>Nothing has happened yet.</p>
          ) : (
            <Table
              className="table cards audit-table"
              name="Audit log"
              columns={COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </section>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { label: "When", show: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time> },
  { label: "Who did what", show: (entry) => <Deed {...entry} />, isObvious: true },
  { label: "From", show: ({ address }) => address ?? "this server" },
];

function Deed({ by, token, action, subject, detail }: AuditEntry) {
  const isOwn = by !== null && subject === by.name;
  return (
    <>
      <b>{by?.name ?? "Someone"}</b>
      {token && ` (token ${token.name})`} {AUDIT_ACTIONS[action]}
      {subject !== undefined && !isOwn && `: ${subject}`}
      {detail !== undefined && <span className="note"> · {detail}</span>}
    </>
  );
}
