import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import * as p from "../../shared/parse.ts";
import type { ReminderNews } from "../../shared/register.ts";
import { hasRole } from "../session/session-store.ts";
import { formatDateTime, formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { useResource } from "./resource.tsx";

export const REMINDERS_PATH = "/settings/reminders";

const parseStates = p.object({
  items: p.list(
    p.object({ id: p.text, name: p.text, state: p.text, lastError: p.nullable(p.text) }),
  ),
});

/** Tells owners which channels don’t work, on all screens but that of the channels. */
export function ChannelAlarm() {
  const [path] = useLocation();
  const isSaid = path === REMINDERS_PATH || !hasRole("owner");
  const { value } = useResource(isSaid ? null : "/api/channels", parseStates);
  const broken = value?.items.filter(({ state }) => state !== "working") ?? [];
  return <BrokenChannels channels={broken} />;
}

/** Loud, because people rely on reminders. */
export function BrokenChannels({ channels }: { channels: ReminderNews["broken"] }) {
  return channels.map(({ id, name, state, lastError }) => (
    <Notice key={id}>
      <span>
        <b>
          Reminders don’t reach {name}: the channel is {state}.
        </b>{" "}
        {lastError}
      </span>
      {hasRole("owner") && (
        <Link href={REMINDERS_PATH} className="button">
          Fix it
        </Link>
      )}
    </Notice>
  ));
}

type Late = NonNullable<ReminderNews["late"]>;

export function LateNotice({ late, children }: { late: Late; children?: ReactNode }) {
  return (
    <Notice tone="warn">
      <span>
        This server was not running from {formatDateTime(late.from)} to {formatDateTime(late.to)}.
        {late.names > 0 && ` Reminders for ${formatDomainCount(late.names)} came late.`}
      </span>
      {children}
    </Notice>
  );
}
