import { useSyncExternalStore } from "react";
import {
  type Credentials,
  mayDo,
  parseSession,
  type Role,
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
 * Who is signed in, as far as this tab knows. `expired`: the backend has ended the session of a person
 * whose screen stays as it is until they sign in again.
 */
export type SessionState =
  | Session
  | { state: "loading" }
  | (Omit<SignedIn, "state" | "factors"> & Pick<NextStep, "signIn"> & Expired)
  | { state: "failed"; error: unknown };

type SignedIn = Extract<Session, { state: "signed-in" }>;

/** Its `factors` are those of the person, or those that come next: `recovery` is among these alone. */
interface Expired {
  state: "expired";
  factors?: NonNullable<(SignedIn | NextStep)["factors"]>;
}

/** How a sign-in goes on: what the backend takes next, and how one may begin. */
type NextStep = Omit<Extract<Session, { state: "signed-out" }>, "state">;

/** What a sign-in sends: each member is text, but for a passkey. */
type SignIn = Readonly<Record<string, unknown>>;

/** Key in `localStorage` of this host: written at sign-in and sign-out, so that other tabs notice. */
const CHANGED_KEY = `${basePath}session-changed`;
/** Key in `sessionStorage`: the person whose drafts are in there. */
const PERSON_KEY = "person";
const TOKEN_URL = urlOf(TOKEN_PATH);
const LOADING: SessionState = { state: "loading" };
/** How a sign-in begins where the backend does not say. */
const PLAIN: NextStep = { signIn: ["password"] };

Object.assign(site, { basePath, xsrfCookie });

let current: SessionState = LOADING;
/** How many times it was asked, or said, who is signed in, and which of these `current` comes from. */
let asked = 0;
let answered = 0;
let started = false;
const listeners = new Set<() => void>();
const personListeners = new Set<() => void>();

/** The session, kept up to date. While prerendering and hydrating it is `loading`. */
export function useSession(): SessionState {
  return useSyncExternalStore(watchSession, getSession, () => LOADING);
}

/** The session as it is now. */
export function getSession(): SessionState {
  return current;
}

/** E-mail address of the person whose tab this is: signed in, or until their session ended by itself. */
export function currentEmail(): string | undefined {
  return "email" in current ? current.email : undefined;
}

/** The id of that person, which no new address changes; of an API without ids, the address. */
export function currentPerson(): string | undefined {
  return "email" in current ? (current.id ?? current.email) : undefined;
}

/**
 * Whether the person may do what takes at least a role. Where they have none they are the owner, as of
 * an API that knows no others. What is below `Gate` is rendered anew when their role changes.
 */
export function may(least: Role): boolean {
  return mayDo(("role" in current && current.role) || "owner", least);
}

/** Calls back when this tab's person signs out or another signs in: their drafts are theirs alone. */
export function onPersonChange(listener: () => void): void {
  personListeners.add(listener);
}

/**
 * `http.request` for a person who is signed in: a 401 brings the sign-in form, in place. Where the
 * backend wants the password again, a dialog asks for it, and the request is sent once more. After any
 * other 403 it is asked anew what the person may do.
 *
 * @throws {HttpError} The 401 too, and the 403 of a person who would rather not give the password.
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

/** Asks for the password; false where the person would rather not give it. */
let prove: (() => Promise<boolean>) | undefined;

/** Says how the password is asked for; undefined: not on this screen. */
export function setProver(prover: typeof prove): void {
  prove = prover;
}

/** Whether a request failed because the password would have to be given again, in a dialog. */
export function isUnproven(error: unknown): boolean {
  return prove !== undefined && error instanceof HttpError && error.problem?.["proof"] === true;
}

/** Asks the backend who is signed in. What is shown stays until the answer is there. */
export async function refreshSession(): Promise<void> {
  if (current.state === "failed") become(LOADING);
  const question = (asked += 1);
  try {
    const session = await http.get(TOKEN_URL, { parse: parseSession });
    if (session.state === "signed-out") expireSession({ ...PLAIN, ...session }, question);
    else become(session, question);
  } catch (error) {
    if (current.state === "loading") become({ state: "failed", error });
  }
}

/**
 * Signs in, creates the owner with a set-up code, or takes an invitation or a new password at its path.
 * Asks for the session first: a form may have been open for longer than the cookies that it needs. The
 * session is signed out still where a code has to come next: its `factors` say so.
 *
 * @throws {HttpError} 401 or 403 for wrong credentials, 422 for bad fields, 429 after too many tries.
 */
export async function signIn(credentials: SignIn, path = TOKEN_PATH): Promise<void> {
  await http.get(TOKEN_URL);
  const session = await http.post(urlOf(path), credentials, { parse: parseSession });
  forgetLinkCode();
  if (session.state === "signed-out") expireSession(session);
  else {
    become(session);
    tellOtherTabs();
  }
}

/** Begins the sign-in anew, where a code would come next. */
export function restartSignIn(): void {
  expireSession({ factors: [] });
}

/** How a sign-in may begin now. */
export async function readSignInWays(): Promise<SignInWay[] | undefined> {
  const session = await http.get(TOKEN_URL, { parse: parseSession });
  return "signIn" in session ? session.signIn : undefined;
}

/**
 * Ends the session here and in the other tabs, and forgets what was typed in this one. As for
 * `signIn`, the cookies may be gone.
 *
 * @throws {HttpError}
 */
export async function signOut(): Promise<void> {
  await http.get(TOKEN_URL);
  await http.delete(TOKEN_URL);
  become({ state: "signed-out" });
  forgetPerson();
  tellOtherTabs();
}

/**
 * Gives the person who is signed in another e-mail address. Nothing of theirs is forgotten.
 *
 * @param change The new address, and the password as it is.
 * @throws {HttpError} 403 for a wrong password.
 */
export async function changeEmail(change: Credentials): Promise<void> {
  const options = { method: "PUT", body: change, parse: parseSession };
  current = await callApi("/api/email", options);
  become(current);
  tellOtherTabs();
}

/**
 * Ends the session as if it had expired: the sign-in form covers the screen, which stays as it is.
 *
 * @throws {HttpError}
 */
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

/** @param question When it was asked: an answer that is older than what is known says nothing. */
function become(session: SessionState, question = (asked += 1)): void {
  if (question < answered) return;
  answered = question;
  const before = currentPerson() ?? readStored(PERSON_KEY);
  const role = "role" in current ? current.role : undefined;
  current = session;
  if (session.state === "signed-in") {
    // Also where the person before never signed out.
    if (before !== null && before !== currentPerson()) forgetPerson();
    // Buttons and dialogs go or come: that has a reason.
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

/** Calls `listener` after every change of the session. @returns Ends that. */
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
      // A page from the back cache may show what is not for the person who is signed in now.
      if (lastChange() !== left) expireSession();
      void refreshSession();
    });
  }
  return () => listeners.delete(listener);
}

/** A storage event reaches every other tab and, unlike a channel, leaves the back cache alone. */
function tellOtherTabs(): void {
  tryStorage(() => localStorage.setItem(CHANGED_KEY, String(Date.now())));
}

function lastChange(): string | null {
  return tryStorage(() => localStorage.getItem(CHANGED_KEY));
}
