import { createStore, useStore } from "./store.ts";

/** A short message that is shown on every screen until the person dismisses it. */
export interface Notification {
  text: string;
  /** What can be done about it; pressing it dismisses the message too. */
  action?: { label: string; onAction: () => void } | undefined;
}

/** More than these would cover the screen: the oldest goes. */
const MAX_NOTIFICATIONS = 3;

const shown = createStore<readonly Notification[]>([]);

/**
 * Shows a message that outlives the screen it comes from. A text that is shown already is replaced.
 *
 * @returns Dismisses it.
 */
export function notify(notification: Notification): () => void {
  const others = shown.get().filter(({ text }) => text !== notification.text);
  shown.set([...others, notification].slice(-MAX_NOTIFICATIONS));
  return () => dismiss(notification);
}

export function dismiss(notification: Notification): void {
  shown.set(shown.get().filter((each) => each !== notification));
}

/** Takes all messages away: they are for the person who is signed in. */
export function clearNotifications(): void {
  shown.set([]);
}

/** The messages that are shown now, oldest first. */
export function useNotifications(): readonly Notification[] {
  return useStore(shown);
}
