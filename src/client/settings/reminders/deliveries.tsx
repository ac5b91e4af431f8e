import { type Channel, type Delivery, parseDeliveries } from "../../../shared/reminders.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { callApi } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { formatDateTime } from "../../ui/format.ts";
import { notify } from "../../ui/notifications.ts";
import { reloadScreen } from "../../ui/use-loaded.ts";
import { usePages } from "../../ui/use-pages.ts";

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
  "finding.closed": "Finding solved",
  "domain.changed": "Changes",
};

const readPage = (after: string | null) =>
  callApi("/api/deliveries", { query: { after: after ?? undefined }, parse: parseDeliveries });

/** What was sent and what was not, and why; the newest first. */
export function Deliveries({ channels }: { channels: readonly Channel[] }) {
  const { page, error, busy, loadMore } = usePages(readPage);

  async function retry({ id }: Delivery) {
    await callApi(`/api/deliveries/${id}/retry`, { method: "POST" }).catch((problem: unknown) =>
      notify({ text: explain(problem) }),
    );
    reloadScreen();
  }

  return (
    <section>
      <h2>Messages</h2>
      {error !== undefined && <Failure error={error} onRetry={loadMore} />}
      {page?.items.length === 0 && <p>No messages yet.</p>}
      <ol className="list reminders-list">
        {page?.items.map((delivery) => {
          const { id, channelId, state, attempts, createdAt, sentAt, nextAt, lastError } = delivery;
          const channel = channels.find((each) => each.id === channelId);
          return (
            <li key={id}>
              <p>
                <b className={state}>{STATES[state]}</b> · {TYPES[delivery.type]} ·{" "}
                {channel?.name ?? "Deleted channel"} · {formatDateTime(sentAt ?? createdAt)}
                {attempts > 1 && ` · ${attempts} attempts`}
                {state === "pending" && nextAt !== null && ` · next try ${formatDateTime(nextAt)}`}
              </p>
              {lastError !== null && <p>{lastError}</p>}
              {state === "dead" && <Button onClick={() => void retry(delivery)}>Send again</Button>}
            </li>
          );
        })}
      </ol>
      {page?.next && (
        <Button aria-disabled={busy} onClick={loadMore}>
          Show older messages
        </Button>
      )}
    </section>
  );
}
