import type { RefObject } from "react";
import {
  DECISION_LABELS,
  type Domain,
  type DomainInput,
  parseDomain,
  parseSavedDomain,
  type SavedDomain,
} from "../../shared/domain.ts";
import { fieldInWords } from "../../shared/fields.ts";
import { explain, failedResponse } from "../session/failure.tsx";
import { callApi, currentPerson } from "../session/session-store.ts";
import { formatDay } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { createStore, useStore } from "../ui/store.ts";
import { addUnsavedChanges } from "../ui/unsaved-changes.ts";
import { notifyUndoable, registerChanged } from "./undo.ts";

export interface ChangeProblem {
  text: string;
  input: DomainInput;
}

/** A view of a domain, which follows changes of it. */
interface ChangeView {
  /** The element that shows it. Once it is gone, only notifications report the outcome. */
  place: RefObject<Element | null>;
  /** Its message replaces the last one: three would cover the next rows on a phone. */
  isBrief?: boolean;
  onSaved: (domain: Domain) => void;
  /** Receives the current version if someone else changed the domain first. */
  onNewer?: (domain: Domain) => void;
  /** Shows the problem; by default, a notification does. */
  onProblem?: (problem: ChangeProblem) => void;
}

/** The changes of one domain, sent one after another. */
interface Queue {
  next: DomainInput | null;
  /** By element: those whose element is gone are not told. */
  readonly views: Map<Element | null, ChangeView>;
}

const queues = new Map<string, Queue>();
/** The values being saved, by id of the domain. */
const pending = createStore<ReadonlyMap<string, DomainInput>>(new Map());
let dismissLast = () => {};

/**
 * Saves fields of a domain at once, without a form, based on the version that the person saw.
 * Changes made meanwhile follow on top of the saved version. It goes on without the component: a
 * notification reports success, with Undo, and a failure that no view shows.
 *
 * @returns `pending`: values being saved, by domain, to be shown as if they were saved.
 */
export function useDomainChange(view: ChangeView) {
  return {
    pending: useStore(pending),
    change: (domain: Domain, input: DomainInput) => void save(domain, input, view),
  };
}

async function save(domain: Domain, input: DomainInput, view: ChangeView): Promise<void> {
  const { id, unicode } = domain;
  const queue = queues.get(id) ?? { next: null, views: new Map() };
  const isFirst = !queues.has(id);
  queues.set(id, queue);
  queue.next = { ...queue.next, ...input };
  queue.views.set(view.place.current, view);
  setPending(id, { ...pending.get().get(id), ...input });
  if (!isFirst) return;

  const release = addUnsavedChanges();
  const person = currentPerson();
  const isSame = () => currentPerson() === person;
  let saved = domain;
  let sent: DomainInput = input;
  let failure: { error: unknown } | undefined;
  try {
    while (queue.next) {
      sent = queue.next;
      queue.next = null;
      const { operation, ...answer } = await editDomain(saved, sent);
      saved = answer;
      // The next person must not send what is queued.
      if (!isSame()) break;
      if (view.isBrief) dismissLast();
      dismissLast = notifyUndoable(describeChange(unicode, sent), operation);
    }
  } catch (error) {
    failure = { error };
  }
  queues.delete(id);
  setPending(id, undefined);
  release();

  const views = [...queue.views].filter(([place]) => place?.isConnected).map(([, each]) => each);
  if (saved !== domain) {
    for (const { onSaved } of views) onSaved(saved);
    if (views.length === 0) registerChanged();
  }
  if (!failure || !isSame()) return;
  const { error } = failure;
  const { status, problem } = failedResponse(error);
  if (status === 412 && problem?.current) {
    const current = parseDomain(problem.current);
    for (const { onNewer } of views) onNewer?.(current);
  }
  const showing = views.filter(({ onProblem }) => onProblem);
  const lost = { ...sent, ...queue.next };
  const names = Object.keys(lost).map(fieldInWords);
  const text = describeProblem(error, names);
  for (const { onProblem } of showing) onProblem?.({ text, input: lost });
  if (showing.length === 0) {
    const what =
      names.length > 1
        ? `changes (${names.join(", ")}) to ${unicode} were`
        : `change to ${unicode} was`;
    notify({ text: `Your ${what} not saved. ${explain(error)}` });
  }
}

/** Edits this version of a domain. @throws {HttpError} 412 if there is a newer version. */
export function editDomain(domain: Domain, body: DomainInput): Promise<SavedDomain> {
  const headers = ifMatch(domain);
  return callApi(domainUrl(domain), { method: "PATCH", body, headers, parse: parseSavedDomain });
}

export function domainUrl({ id }: Domain): string {
  return `/api/domains/${encodeURIComponent(id)}`;
}

export function ifMatch({ version }: Domain): HeadersInit {
  return { "If-Match": `"${version}"` };
}

function setPending(id: string, input: DomainInput | undefined): void {
  const next = new Map(pending.get());
  if (input) next.set(id, input);
  else next.delete(id);
  pending.set(next);
}

function describeChange(unicode: string, input: DomainInput): string {
  const { decision, autoRenew, expires, archivedOn, doneFor } = input;
  if (decision !== undefined) return `${unicode}: ${DECISION_LABELS[decision ?? "-"]}.`;
  if (archivedOn !== undefined) return `${unicode} ${archivedOn ? "archived" : "is back"}.`;
  if (typeof autoRenew === "boolean")
    return `Auto-renew is ${autoRenew ? "on" : "off"} for ${unicode}.`;
  if (expires) return `${unicode} now expires on ${formatDay(expires)}.`;
  return doneFor || input.status === null ? `${unicode} is done.` : `Saved ${unicode}.`;
}

function describeProblem(error: unknown, names: readonly string[]): string {
  const { status, problem } = failedResponse(error);
  if (status === 412 && problem?.current) {
    return "Someone else changed this domain. This is the current version: choose again.";
  }
  // Shown after the person has signed in again.
  if (status === 401) return "Not saved, because your session had ended. Choose again.";
  const back = names.length > 1 ? `values are back: ${names.join(", ")}` : "value is back";
  return `Not saved: the previous ${back}. ${explain(error)}`;
}
