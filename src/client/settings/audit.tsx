import { AUDIT_ACTIONS, type AuditEntry, parseAuditPage } from "../../shared/audit.ts";
import { Loaded } from "../register/loaded.tsx";
import { usePages } from "../register/resource.ts";
import { formatDateTime } from "../ui/format.ts";

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
            <table className="table cards audit-table">
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Who did what</th>
                  <th scope="col">From</th>
                </tr>
              </thead>
              <tbody>
                {items.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </section>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { at, by, token, action, subject, detail, address } = entry;
  const isOwn = by !== null && subject === by.name;
  return (
    <tr>
      <td>
        <time dateTime={at}>{formatDateTime(at)}</time>
      </td>
      <td>
        <b>{by?.name ?? "Somebody"}</b>
        {token && ` (token ${token.name})`} {AUDIT_ACTIONS[action]}
        {subject !== undefined && !isOwn && `: ${subject}`}
        {detail !== undefined && <span className="note"> · {detail}</span>}
      </td>
      <td data-label="From">{address ?? "this server"}</td>
    </tr>
  );
}
