import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import * as p from "../../../shared/parse.ts";
import type { SavedView } from "../../../shared/register.ts";
import {
  type Calendar,
  type Channel,
  CHANNEL_KINDS,
  type MailServerState,
  parseTested,
} from "../../../shared/reminders.ts";
import { urlOf } from "../../base-path.ts";
import { usePeople } from "../../register/suggestions.ts";
import { explain } from "../../session/failure.tsx";
import { callApi } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { formatCount, formatDateTime } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { notify } from "../../ui/notifications.ts";
import { Removal, SecretDialog, type ShownSecret } from "../item.tsx";
import { ChannelDialog, type Kind, KINDS } from "./channel-dialog.tsx";
import {
  describeMailServer,
  MAIL_SERVER_PATH,
  MailServerDialog,
  TEST_REQUEST_TIMEOUT_MS,
} from "./mail-server.tsx";

/** Shown only once: the secret of a channel, the address of a calendar. */
const parseOnce = p.object({ secret: p.optional(p.text), url: p.optional(p.text) });

const channelUrl = ({ id }: Channel) => `/api/channels/${id}`;

interface Props {
  channels: readonly Channel[];
  calendars: readonly Calendar[];
  views: readonly SavedView[];
  /** Null for people who may only have calendars. */
  mail: MailServerState | null;
  /** The server does not know its own address. */
  hasNoLinks: boolean;
  onChanged: () => void;
}

/** Where reminders go, and forms for more channels and calendars. */
export function Channels({ channels, calendars, views, mail, hasNoLinks, onChanged }: Props) {
  const [form, setForm] = useState<{ kind: Kind | "mail server"; channel?: Channel }>();
  const close = () => setForm(undefined);
  const [secret, setSecret] = useState<ShownSecret>();
  const people = usePeople();

  async function send(path: string, method: string, body: object) {
    const once = await callApi(path, { method, body, parse: parseOnce });
    if (once.secret) setSecret({ label: "Signing secret", value: once.secret });
    if (once.url) {
      // Without PUBLIC_URL, a calendar has a path only.
      const value = new URL(once.url, location.href).href;
      setSecret({ label: "Address to subscribe to in your calendar", value });
    }
  }

  async function save(body: object) {
    if (form?.channel) await send(channelUrl(form.channel), "PATCH", body);
    else await send(form?.kind === "calendar" ? "/api/calendars" : "/api/channels", "POST", body);
    close();
    const what = form?.kind === "calendar" ? "Calendar" : "Channel";
    notify({ text: `${what} ${form?.channel ? "saved" : "added"}.` });
    onChanged();
  }

  // Addresses need a mail server; `SMTP_URL` cannot be changed here.
  const needsMail = form?.kind === "mail" && mail?.problem && mail.setBy !== "variable";
  const adding = (kind: Kind) => (
    <Button key={kind} onClick={() => setForm({ kind })}>
      {KINDS[kind].label}
    </Button>
  );
  const isEmpty = channels.length + calendars.length === 0;
  return (
    <section>
      <h2>{!mail ? "Calendars" : isEmpty ? "No one gets reminders yet" : "Who gets reminders"}</h2>
      {isEmpty && mail && <p>Choose where reminders go.</p>}
      <ul className="list settings-list tall-links">
        {channels.map((channel) => (
          <ChannelItem
            key={channel.id}
            channel={channel}
            domains={
              <>
                <FilterLink filter={channel.filter} views={views} />
                {people.flatMap(({ id, name }) => (id === channel.person ? ` of ${name}` : []))}
              </>
            }
            onEdit={() => setForm({ kind: channel.kind, channel })}
            onPatch={(body) => send(channelUrl(channel), "PATCH", body)}
            onChanged={onChanged}
          />
        ))}
        {calendars.map(({ id, name, filter, alarmDays, lastFetchedAt, lastFetchedBy }) => (
          <li key={id}>
            <h3>{name}</h3>
            <p className="note">
              Calendar · <FilterLink filter={filter} views={views} />
              {alarmDays !== null && ` · alarm ${formatCount(alarmDays, "day")} before`}
            </p>
            <p className="note">
              {lastFetchedAt ? `Last fetched ${formatDateTime(lastFetchedAt)}` : "Not fetched yet"}
              {lastFetchedBy !== null && ` by ${lastFetchedBy}`}
            </p>
            <div className="row">
              <Removal action="Delete" name={name} path={`/api/calendars/${id}`} look="plain">
                Its address stops working at once.
              </Removal>
            </div>
          </li>
        ))}
      </ul>
      <fieldset className="row">
        <legend>Add</legend>
        {mail && adding("mail")}
        {adding("calendar")}
        {mail && (
          <Dropdown label="More">
            <div className="menu">
              {CHANNEL_KINDS.filter((kind) => kind !== "mail").map((kind) => adding(kind))}
            </div>
          </Dropdown>
        )}
      </fieldset>
      {mail && (
        <div className="row">
          <p>
            {describeMailServer(mail)}
            {hasNoLinks && " Messages have no links: set PUBLIC_URL on the server."}
          </p>
          {mail.setBy !== "variable" && (
            <Button look="quiet" onClick={() => setForm({ kind: "mail server" })}>
              {mail.server ? "Edit mail server" : "Set up e-mail"}
            </Button>
          )}
          {mail.setBy === "settings" && (
            <Removal action="Delete" name="the mail server" path={MAIL_SERVER_PATH}>
              Reminders by e-mail stop at once. Messages that are waiting are not sent.
            </Removal>
          )}
        </div>
      )}
      {form &&
        (form.kind === "mail server" || needsMail ? (
          <MailServerDialog
            server={mail?.server ?? null}
            onSaved={() => {
              if (!needsMail) close();
            }}
            onClose={close}
          />
        ) : (
          <ChannelDialog {...form} kind={form.kind} views={views} onSend={save} onClose={close} />
        ))}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
    </section>
  );
}

function FilterLink({ filter, views }: { filter: string } & Pick<Props, "views">) {
  const name = views.find(({ query }) => query === filter)?.name ?? "Filtered domains";
  return <Link href={`/domains?${filter}`}>{filter === "" ? "All domains" : name}</Link>;
}

interface ItemProps extends Pick<Props, "onChanged"> {
  channel: Channel;
  domains: ReactNode;
  onEdit: () => void;
  onPatch: (body: object) => Promise<void>;
}

function ChannelItem({ channel, domains, onEdit, onPatch, onChanged }: ItemProps) {
  const { id, kind, name, target, rhythm, state, lastSentAt, lastError } = channel;
  const [outcome, setOutcome] = useState("");
  const { run, isBusy, error } = useAction(async (act: () => Promise<string>) => {
    try {
      setOutcome(await act());
    } finally {
      onChanged();
    }
  });

  const patch = (body: object, done: string) => void run(() => onPatch(body).then(() => done));

  async function test() {
    const options = { method: "POST", timeout: TEST_REQUEST_TIMEOUT_MS, parse: parseTested };
    const { ok, said: answer } = await callApi(`${channelUrl(channel)}/test`, options);
    return `${ok ? "Sent" : "Not sent"}: ${answer.replace(/^The /, "the ")}`;
  }

  return (
    <li>
      <h3>{name}</h3>
      <p className="note">
        {KINDS[kind].label} · {target} · {domains} · {rhythm}
        {channel.changes && ", and each change"}
      </p>
      <p className="note">
        {lastSentAt ? `Last sent ${formatDateTime(lastSentAt)}` : "No reminders sent yet"}
      </p>
      {state !== "working" && (
        <Notice>
          <span>
            <b>This channel is {state}: nothing gets through.</b> {lastError}
          </span>
          <Button onClick={() => patch({ state: "working" }, "Resumed.")}>Resume</Button>
        </Notice>
      )}
      <div className="row">
        <Button onClick={() => void run(test)}>Send a test</Button>
        <a
          className="button quiet"
          href={urlOf(`/api/reminders/preview?channel=${id}`)}
          target="_blank"
          rel="noreferrer"
        >
          Next message<span className="unseen"> (opens a new tab)</span>
        </a>
        <Button look="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        {channel.hasSecret && (
          <Button look="quiet" onClick={() => patch({ rotateSecret: true }, ROTATED)}>
            New secret
          </Button>
        )}
        <Removal action="Delete" name={name} path={channelUrl(channel)}>
          Its reminders stop at once. Messages that are waiting are not sent.
        </Removal>
      </div>
      {/* Long messages scroll, by keys too. */}
      <output tabIndex={outcome === "" ? undefined : 0}>
        {isBusy ? "One moment…" : error === undefined ? outcome : explain(error)}
      </output>
    </li>
  );
}

const ROTATED = "For 24 hours, messages are signed with both secrets.";
