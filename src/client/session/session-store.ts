import { useSyncExternalStore } from "react";
import {
  rightsOf,
  parseSession,
  type Right,
  type Session,
  type SignInWay,
  TOKEN_PATH,
} from "../../shared/session.ts";
import { basePath, urlOf, xsrfCookie } from "../base-path.ts";
import { http, HttpError, type HttpOptions, site } from "../http.ts";
import { clearNotifications, notify } from "../ui/notifications.ts";
import { tryStorage } from "../ui/preferences.ts";
import { forgetLinkCode } from "./link-code.ts";
import { readStored, store } from "./session-storage.ts";

/**
 * Who is signed in, as far as this tab knows. `expired`: the backend has ended the session, and the
 * screen stays until the person signs in again.
 */
export type SessionState =
  Session | { state: "loading" } | Expired | { state: "failed"; error: unknown };

type SignedIn = Extract<Session, { state: "signed-in" }>;

/** What the backend takes next in a sign-in, and how one may begin. */
type NextStep = Omit<Extract<Session, { state: "signed-out" }>, "state">;

/** Its `factors` are those of the person, or those that come next: `recovery` is among these alone. */
type Expired = { state: "expired" } & Omit<SignedIn, "state" | "factors"> &
  Pick<NextStep, "signIn"> &
  Pick<SignedIn | NextStep, "factors">;

/** Key in `localStorage` of this host. Writing it tells other tabs of a sign-in or sign-out. */
const CHANGED_KEY = `${basePath}session-changed`;
/** Key in `sessionStorage`: the person whose drafts are in there. */
const PERSON_KEY = "person";
const TOKEN_URL = urlOf(TOKEN_PATH);
const LOADING: SessionState = { state: "loading" };

Object.assign(site, { basePath, xsrfCookie });

let current: SessionState = LOADING;
/** Counts requests and answers about the session, and which of these `current` comes from. */
let asked = 0;
let answered = 0;
let started = false;
const listeners = new Set<() => void>();
const personListeners = new Set<() => void>();

/** The session, kept up to date; `loading` while prerendering and hydrating. */
export function useSession(): SessionState {
  return useSyncExternalStore(watchSession, getSession, () => LOADING);
}

export function getSession(): SessionState {
  return current;
}

/** The person's e-mail address, also after the session has ended by itself. */
export function currentEmail(): string | undefined {
  return "email" in current ? current.email : undefined;
}

/** The person's id; from an API without ids, the address. */
export function currentPerson(): string | undefined {
  return "email" in current ? (current.id ?? current.email) : undefined;
}

/**
 * Whether the person has at least a role. From an API without roles they are the owner. A change of
 * role renders everything below `Gate` again.
 */
export function hasRole(least: Right): boolean {
  return rightsOf(("role" in current && current.role) || "owner").includes(least);
}

/** Calls back when this tab's person signs out or changes: drafts belong to one person. */
export function onPersonChange(listener: () => void): void {
  personListeners.add(listener);
}

/**
 * `http.request` for a person who is signed in. A 401 brings the sign-in form. If the backend wants
 * the password again, a dialog asks for it and the request is repeated. Another 403 reads the
 * session again.
 *
 * @throws {HttpError} Also the 401, and the 403 of a person who does not give the password.
 */
export async function callApi<T>(url: string, options: HttpOptions<T>): Promise<T> {
  try {
    return await requestSignedIn(url, options);
  } catch (error) {
    if (isUnproven(error) && (await prove?.())) return requestSignedIn(url, options);
    throw error;
  }
}

async function requestSignedIn<T>(url: string, options: HttpOptions<T>): Promise<T> {
  const question = (asked += 1);
  try {
    return await http.request(urlOf(url), options);
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) expireSession({}, question);
    if (error instanceof HttpError && error.status === 403 && !isUnproven(error)) {
      void refreshSession();
    }
    throw error;
  }
}

/** Asks for the password; false: the person declined. */
let prove: (() => Promise<boolean>) | undefined;

/** Sets how the password is asked for; undefined: not on this screen. */
export function setProver(prover: typeof prove): void {
  prove = prover;
}

/** Whether a request failed because the person declined to give the password. */
export function isUnproven(error: unknown): boolean {
  return prove !== undefined && error instanceof HttpError && error.problem?.["proof"] === true;
}

/** Reads the session. What is shown stays until the answer arrives. */
export async function refreshSession(): Promise<void> {
  if (current.state === "failed") become(LOADING);
  const question = (asked += 1);
  try {
    const session = await http.get(TOKEN_URL, { parse: parseSession });
    // A sign-in begins with the password if the backend does not say how.
    if (session.state === "signed-out")
      expireSession({ signIn: ["password"], ...session }, question);
    else become(session, question);
  } catch (error) {
    if (current.state === "loading") become({ state: "failed", error });
  }
}

/**
 * Signs in, creates the owner with a set-up code, or takes an invitation or a new password at its
 * path. If a code comes next, the session is still signed out, with `factors`.
 *
 * @throws {HttpError} 401 or 403 for wrong credentials, 422 for bad fields, 429 after too many tries.
 */
export async function signIn(credentials: object, path = TOKEN_PATH): Promise<void> {
  // Renews the cookies.
  await http.get(TOKEN_URL);
  const session = await http.post(urlOf(path), credentials, { parse: parseSession });
  forgetLinkCode();
  if (session.state === "signed-out") expireSession(session);
  else {
    become(session);
    tellOtherTabs();
  }
}

export function restartSignIn(): void {
  expireSession({ factors: [] });
}

export async function readSignInWays(): Promise<SignInWay[] | undefined> {
  const session = await http.get(TOKEN_URL, { parse: parseSession });
  return "signIn" in session ? session.signIn : undefined;
}

/** Ends the session in all tabs, and forgets what was typed in this one. @throws {HttpError} */
export async function signOut(): Promise<void> {
  await http.get(TOKEN_URL);
  await http.delete(TOKEN_URL);
  become({ state: "signed-out" });
  forgetPerson();
  tellOtherTabs();
}

/** Changes the person's e-mail address and forgets nothing. @throws {HttpError} 403: wrong password. */
export async function changeEmail(email: string, password: string): Promise<void> {
  const options = { method: "PUT", body: { email, password }, parse: parseSession };
  current = await callApi("/api/email", options);
  become(current);
  tellOtherTabs();
}

/** Ends the session as if it had expired: a form covers the screen. @throws {HttpError} */
export async function signInAgain(): Promise<void> {
  await http.get(TOKEN_URL);
  await http.delete(TOKEN_URL);
  expireSession();
}

function expireSession(next: NextStep = {}, question?: number): void {
  become(
    "email" in current
      ? { ...current, ...next, state: "expired" }
      : { ...next, state: "signed-out" },
    question,
  );
}

/** @param question Number of the request: an answer older than the current session is ignored. */
function become(session: SessionState, question = (asked += 1)): void {
  if (question < answered) return;
  answered = question;
  const before = currentPerson() ?? readStored(PERSON_KEY);
  const role = "role" in current ? current.role : undefined;
  current = session;
  if (session.state === "signed-in") {
    // The person before may not have signed out.
    if (before !== null && before !== currentPerson()) forgetPerson();
    // Explains why buttons and dialogs appear or disappear.
    else if (role && session.role && role !== session.role) {
      notify({ text: `Your role is now “${session.role}”.` });
    }
    store(PERSON_KEY, currentPerson() ?? null);
  }
  for (const listener of listeners) listener();
}

function forgetPerson(): void {
  tryStorage(() => sessionStorage.clear());
  clearNotifications();
  for (const listener of personListeners) listener();
}

export function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  if (!started) {
    started = true;
    if (current.state === "loading") void refreshSession();
    window.addEventListener("storage", ({ key }) => key === CHANGED_KEY && void refreshSession());
    let left: string | null;
    window.addEventListener("pagehide", () => (left = lastChange()));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      // A page from the back cache may belong to another person.
      if (lastChange() !== left) expireSession();
      void refreshSession();
    });
  }
  return () => listeners.delete(listener);
}

/** A storage event reaches all other tabs and, unlike a channel, leaves the back cache alone. */
function tellOtherTabs(): void {
  tryStorage(() => localStorage.setItem(CHANGED_KEY, String(Date.now())));
}

function lastChange(): string | null {
  return tryStorage(() => localStorage.getItem(CHANGED_KEY));
}
