import { type Channel, type ChannelKind, CHANNELS } from "../../../shared/reminders.ts";
import type { SavedView } from "../../../shared/register.ts";
import { currentEmail } from "../../session/session-store.ts";
import { toOption, usePeople } from "../../register/suggestions.ts";
import { ADD_PARAMETER, PANEL_PARAMETER } from "../../register/domains-api.ts";
import { FormDialog, type FormField, type FormValues } from "../../register/form.tsx";
import { Check } from "../../ui/choice.tsx";

export type Kind = ChannelKind | "calendar";

export const KINDS: Readonly<Record<Kind, (typeof CHANNELS)[ChannelKind]>> = {
  ...CHANNELS,
  calendar: { label: "Calendar", added: "a calendar feed", target: "" },
};

const RHYTHMS = [
  ["daily", "At most once a day"],
  ["weekly", "At most once a week"],
] as const;
const WHICH_DOMAINS = "Choose a saved view, or paste the link of a filtered list.";
const ALARMS = [
  ["", "None"],
  ["1", "1 day before"],
  ["7", "7 days before"],
  ["30", "30 days before"],
] as const;

interface Props {
  kind: Kind;
  /** The one to edit; by default, one is added. */
  channel?: Channel;
  views: readonly SavedView[];
  onSend: (body: Record<string, unknown>) => Promise<void>;
  onClose: () => void;
}

/** Adds or edits a channel or a calendar. */
export function ChannelDialog({ kind, channel, views, onSend, onClose }: Props) {
  const { label, added = label, target, hint, isPersonal } = KINDS[kind];
  const isCalendar = kind === "calendar";
  const fields: FormField[] = [
    {
      name: "name",
      label: "Name",
      defaultValue: channel?.name ?? (isCalendar ? "Domain expiries" : label),
    },
    {
      name: "filter",
      label: "Domains",
      hint: WHICH_DOMAINS,
      fault: WHICH_DOMAINS,
      placeholder: "All domains",
      suggestions: views.map(({ query, name }) => [query, name] as const),
      defaultValue: channel?.filter,
    },
    isCalendar
      ? { name: "alarmDays", label: "Alarm", options: ALARMS }
      : { name: "rhythm", label: "How often", options: RHYTHMS, defaultValue: channel?.rhythm },
  ];
  const people = usePeople();
  if (!isCalendar && (people.length > 1 || channel?.person)) {
    fields.push({
      name: "person",
      label: "Whose domains",
      options: [["", "Everyone’s"], ...people.map(toOption)],
      defaultValue: channel?.person ?? "",
    });
  }
  if (!isCalendar) {
    const type = isPersonal ? "email" : "text";
    const defaultValue = channel?.target ?? (isPersonal ? currentEmail() : undefined);
    fields.unshift({ name: "target", label: target, hint, type, defaultValue });
  }

  function send(values: FormValues, edited: FormValues) {
    const { filter, alarmDays, changes, person, ...texts } = channel ? edited : values;
    const view = views.find(({ name }) => name === filter)?.query;
    return onSend({
      ...texts,
      ...(person !== undefined && { person: person || null }),
      ...(isCalendar && { alarmDays: Number(alarmDays) || null }),
      ...(changes !== undefined && { changes: changes !== "" }),
      ...(filter !== undefined && { filter: view ?? queryOf(filter) }),
      ...(!isCalendar && !channel && { kind }),
    });
  }

  return (
    <FormDialog
      heading={channel ? `Edit ${channel.name}` : `Add ${added}`}
      label={label}
      action={channel ? "Save" : "Add"}
      fields={fields}
      onSend={send}
      onClose={onClose}
    >
      {!isCalendar && (
        <Check name="changes" defaultChecked={channel?.changes}>
          Also report changes to domains
        </Check>
      )}
    </FormDialog>
  );
}

/** The query of a pasted link of the list, without what is open there. */
function queryOf(link: string): string {
  const query = new URLSearchParams(link.replaceAll(/^[^?]*\?|#.*/g, ""));
  query.delete(ADD_PARAMETER);
  query.delete(PANEL_PARAMETER);
  return String(query);
}
