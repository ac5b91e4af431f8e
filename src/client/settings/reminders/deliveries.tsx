import { type Channel, parseDeliveries } from "../../../shared/reminders.ts";
import { Loaded, invalidate, usePages } from "../../register/resource.tsx";
import { FormFailure } from "../../session/failure.tsx";
import { callApi } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { formatDateTime, formatDomainCount } from "../../ui/format.ts";

const STATES = {
  pending: "Waiting",
  leased: "Sending",
  sent: "Sent",
  dead: "Failed",
  cancelled: "Not sent",
} as const;

const TYPES: Readonly<Record<string, string>> = {
  "reminder.due": "Reminders",
  "reminder.digest": "Summary",
  "finding.opened": "Critical finding",
  "finding.closed": "Finding resolved",
  "domain.changed": "Changes",
  "account.notice": "Registrar account",
};

const DELIVERIES_PATH = "/api/deliveries";

/** Which messages were sent, and why others were not; the newest first. */
export function Deliveries({ channels }: { channels: readonly Channel[] }) {
  const deliveries = usePages(DELIVERIES_PATH, parseDeliveries);
  const { run: retry, error } = useAction(async (id: string) => {
    await callApi(`${DELIVERIES_PATH}/${id}/retry`, { method: "POST" });
    invalidate(DELIVERIES_PATH);
  });

  const nameOf = (channelId: string) =>
    channels.find(({ id }) => id === channelId)?.name ?? "Deleted channel";

  return (
    <section>
      <h2>Messages</h2>
      <FormFailure error={error} />
      <Loaded of={deliveries} lines={3} more="Show older messages">
        {({ items }) => (
          <>
            {items.length === 0 && <p>No messages yet.</p>}
            <ol className="list settings-list">
              {items.map(({ id, state, type, subject, domains, attempts, nextAt, ...delivery }) => (
                <li key={id}>
                  <p className="note">
                    <b className={state}>{STATES[state]}</b> · {subject ?? TYPES[type]}
                    {domains > 0 && ` · ${formatDomainCount(domains)}`} ·{" "}
                    {nameOf(delivery.channelId)} ·{" "}
                    {formatDateTime(delivery.sentAt ?? delivery.createdAt)}
                    {attempts > 1 && ` · ${attempts} attempts`}
                    {state === "pending" &&
                      nextAt !== null &&
                      ` · next try ${formatDateTime(nextAt)}`}
                  </p>
                  {delivery.lastError !== null && <p className="note">{delivery.lastError}</p>}
                  {state === "dead" && <Button onClick={() => void retry(id)}>Send again</Button>}
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  );
}
