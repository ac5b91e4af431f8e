import { useSyncExternalStore } from "react";
import type { Credentials, OwnerSetUp, Session } from "../contract.ts";
import { http } from "../http.ts";
import { sendAhead } from "./ahead.ts";
import { parseRecord, textOrNull } from "./parse-json.ts";

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
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => LOADING,
  );
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
  become(await http.post(TOKEN, who, { parse: parseSession }));
  tellOtherTabs();
}

/**
 * Ends the session here and in the other tabs, and forgets the drafts of this one. As for `signIn`,
 * the cookies may be gone.
 *
 * @throws {HttpError}
 */
export async function signOut(): Promise<void> {
  await http.get(TOKEN);
  await http.delete(TOKEN);
  become({ state: "signed-out" });
  withStorage(() => {
    sessionStorage.clear();
    localStorage.removeItem(TOKEN);
  });
  tellOtherTabs();
}

/** The backend no longer knows the session: whoever was signed in has to sign in again. */
export function expireSession(): void {
  become("email" in current ? { state: "expired", email: current.email } : { state: "signed-out" });
}

function become(session: SessionState): void {
  current = session;
  if (session.state === "signed-in") withStorage(() => claimTab(session.email));
  for (const listener of listeners) listener();
}

/** What one person has typed in this tab is not for the next, even where the first never signed out. */
function claimTab(email: string): void {
  const before = sessionStorage.getItem(PERSON);
  if (before !== null && before !== email) sessionStorage.clear();
  sessionStorage.setItem(PERSON, email);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!started) {
    started = true;
    if (current.state === "loading") void refreshSession();
    window.addEventListener("storage", ({ key }) => key === CHANGED && void refreshSession());
    window.addEventListener("pageshow", ({ persisted }) => persisted && void refreshSession());
  }
  return () => listeners.delete(listener);
}

/** A storage event reaches every other tab and, unlike a channel, leaves the back cache alone. */
function tellOtherTabs(): void {
  withStorage(() => localStorage.setItem(CHANGED, String(Date.now())));
}

/** A browser may forbid its storage, even to look at it: then there is nothing kept or told. */
function withStorage(use: () => void): void {
  try {
    use();
  } catch {
    // Nothing depends on it.
  }
}

function parseSession(body: unknown): Session {
  const { state, email } = parseRecord(body);
  if (state === "set-up" || state === "signed-out") return { state };
  if (state === "signed-in") return { state, email: textOrNull(email) ?? "" };
  throw new TypeError("Expected the state of a session.");
}
