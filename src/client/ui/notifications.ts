import { createStore } from "./store.ts";

/** A short message that stays on every screen until it is dismissed. */
export interface Notification {
  text: string;
  /** Pressing it dismisses the message too. `key` does the same from anywhere. */
  action?: { label: string; onAction: () => void; key?: string | undefined } | undefined;
}

/** By its number, a sentence that comes again is a new element, which screen readers read again. */
export interface Shown extends Notification {
  number: number;
}

/** More would cover the screen: the oldest that offers something goes, such as Undo, or else the oldest. */
const MAX_NOTIFICATIONS = 3;

export const notifications = createStore<readonly Shown[]>([]);
let count = 0;

/** Shows a message that outlives its screen, or replaces the same text. @returns Dismisses it. */
export function notify(notification: Notification): () => void {
  const others = notifications.get().filter(({ text }) => text !== notification.text);
  const told = { ...notification, number: (count += 1) };
  const dropped =
    others.length >= MAX_NOTIFICATIONS && (others.find(({ action }) => action) ?? others[0]);
  notifications.set([...others, told].filter((each) => each !== dropped));
  return () => dismiss(told);
}

export function dismiss(notification: Shown): void {
  notifications.set(notifications.get().filter((each) => each !== notification));
}

/** Notifications belong to one person. */
export function clearNotifications(): void {
  notifications.set([]);
}
