import { useSyncExternalStore } from "react";
import type { Credentials, OwnerSetUp, Session } from "../../shared/contract.ts";
import { http } from "../http.ts";
import { keepTab, readTab, tryStorage } from "../tab-store.ts";
import { sendAhead } from "./ahead.ts";
import { FILES } from "./files-key.ts";
import { parseRecord, textOrNull } from "../../shared/parse-json.ts";

/**
 * Who is signed in, as far as this tab knows. `expired`: somebody was, and the backend says that
 * this is over; what they were doing is kept until they are back.
 */
export type SessionState =
  | Session
  | { state: "loading" }
  | { state: "expired"; email: string }
  | { state: "failed"; error: unknown };

const TOKEN = "/api/token";
const CHANGED = "session-changed";
/** Whose the storage of this tab is. */
const PERSON = "person";
const LOADING: SessionState = { state: "loading" };

let current: SessionState = LOADING;
let started = false;
const listeners = new Set<() => void>();

/** The session, kept up to date. While prerendering and hydrating it is `loading`. */
export function useSession(): SessionState {
  return useSyncExternalStore(watchSession, getSession, () => LOADING);
}

/** The session as it is now. */
export function getSession(): SessionState {
  return current;
}

/** Whose tab this is, by e-mail address: signed in, or until the session ended on its own. */
export function whoIsHere(): string | undefined {
  return "email" in current ? current.email : undefined;
}

/** Asks the backend who is signed in. What is shown stays until the answer is there. */
export async function refreshSession(): Promise<void> {
  if (current.state === "failed") become(LOADING);
  try {
    const session = await http.get(TOKEN, { parse: parseSession, send: sendAhead });
    if (session.state === "signed-out") expireSession();
    else become(session);
  } catch (error) {
    if (current.state === "loading") become({ state: "failed", error });
  }
}

/**
 * Signs in, or makes the first account where a set-up code is given. Other tabs notice. The session
 * is asked for first: a form may have been open for longer than the cookies that it needs.
 *
 * @throws {HttpError} 401 or 403 for what is wrong, 422 for bad fields, 429 after too many tries.
 */
export async function signIn(who: Credentials | OwnerSetUp): Promise<void> {
  await http.get(TOKEN);
  become(await http.post(TOKEN, who, { parse: parseSession, send: sendAhead }));
  tellOtherTabs();
}

/**
 * Ends the session here and in the other tabs, and forgets the drafts of this one and the files of
 * all. As for `signIn`, the cookies may be gone.
 *
 * @throws {HttpError}
 */
export async function signOut(): Promise<void> {
  await http.get(TOKEN);
  await http.delete(TOKEN, { send: sendAhead });
  become({ state: "signed-out" });
  forget();
  tryStorage(() => localStorage.removeItem(TOKEN));
  tellOtherTabs();
}

/** The backend no longer knows the session: whoever was signed in has to sign in again. */
export function expireSession(): void {
  become("email" in current ? { state: "expired", email: current.email } : { state: "signed-out" });
}

function become(session: SessionState): void {
  current = session;
  if (session.state === "signed-in") claimTab(session.email);
  for (const listener of listeners) listener();
}

/** What one person has typed in this tab is not for the next, even where the first never signed out. */
function claimTab(email: string): void {
  const before = readTab(PERSON);
  if (before !== null && before !== email) forget();
  keepTab(PERSON, email);
}

/** Forgets what was typed in this tab, and the files that any tab has put away. */
function forget(): void {
  tryStorage(() => {
    sessionStorage.clear();
    forgetFiles();
  });
}

function forgetFiles(): void {
  localStorage.removeItem(FILES);
  indexedDB.deleteDatabase(FILES);
}

/** Tells of every change of the session. @returns Ends that. */
export function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  if (!started) {
    started = true;
    tryStorage(() => {
      // A file that was put away so long ago waits for a tab that is gone.
      const until = localStorage.getItem(FILES);
      if (until && Number(until) < Date.now()) forgetFiles();
    });
    if (current.state === "loading") void refreshSession();
    window.addEventListener("storage", ({ key }) => key === CHANGED && void refreshSession());
    let left: string | null;
    window.addEventListener("pagehide", () => (left = lastChange()));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      // What a page shows that comes back may not be for who is there by now.
      if (lastChange() !== left) expireSession();
      void refreshSession();
    });
  }
  return () => listeners.delete(listener);
}

/** A storage event reaches every other tab and, unlike a channel, leaves the back cache alone. */
function tellOtherTabs(): void {
  tryStorage(() => localStorage.setItem(CHANGED, String(Date.now())));
}

function lastChange(): string | null {
  return tryStorage(() => localStorage.getItem(CHANGED));
}

function parseSession(body: unknown): Session {
  const { state, email } = parseRecord(body);
  if (state === "set-up" || state === "signed-out") return { state };
  if (state === "signed-in") return { state, email: textOrNull(email) ?? "" };
  throw new TypeError("Expected the state of a session.");
}
