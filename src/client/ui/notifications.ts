import { useSyncExternalStore } from "react";

/** A short message that is shown on every screen until the person dismisses it. */
export interface Notification {
  text: string;
  /** What can be done about it; pressing it dismisses the message too. */
  action?: { label: string; onAction: () => void } | undefined;
}

/** More than these would cover the screen: the oldest goes. */
const MAX_NOTIFICATIONS = 3;

const NONE: readonly Notification[] = [];
let shown = NONE;
const listeners = new Set<() => void>();

/**
 * Shows a message that outlives the screen it comes from. A text that is shown already is replaced.
 *
 * @returns Dismisses it.
 */
export function notify(notification: Notification): () => void {
  const others = shown.filter(({ text }) => text !== notification.text);
  update([...others, notification].slice(-MAX_NOTIFICATIONS));
  return () => dismiss(notification);
}

export function dismiss(notification: Notification): void {
  update(shown.filter((each) => each !== notification));
}

/** Takes all messages away: they are for the person who is signed in. */
export function clearNotifications(): void {
  update([]);
}

/** The messages that are shown now, oldest first. */
export function useNotifications(): readonly Notification[] {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => NONE,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function update(next: readonly Notification[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
