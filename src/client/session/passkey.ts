import { urlOf } from "../base-path.ts";
import { http } from "../http.ts";
import { ActionError } from "./failure.tsx";
import { callApi, signIn } from "./session-store.ts";

/** Signs in with a passkey. @throws {ActionError} If the browser has none, or the person cancels. */
export async function signInWithPasskey(): Promise<void> {
  const publicKey = (json: unknown) =>
    // The browser checks it: Web Authentication Level 3 §5.1.8.
    PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON);
  requirePasskeys();
  // Renews the cookies, which may have expired while the form was open.
  await http.get(urlOf("/api/token"));
  const options = await http.post(urlOf("/api/passkeys/sign-in"), {}, { parse: publicKey });
  await signIn({ passkey: await ask(navigator.credentials.get({ publicKey: options })) });
}

/** Creates a passkey for the person. @throws As `signInWithPasskey`. */
export async function addPasskey(name: string): Promise<void> {
  const publicKey = (json: unknown) =>
    // The browser checks it: Web Authentication Level 3 §5.1.7.
    PublicKeyCredential.parseCreationOptionsFromJSON(
      json as PublicKeyCredentialCreationOptionsJSON,
    );
  requirePasskeys();
  const options = await callApi("/api/passkeys", { method: "POST", body: {}, parse: publicKey });
  const credential = await ask(navigator.credentials.create({ publicKey: options }));
  await callApi("/api/passkeys/confirm", { method: "POST", body: { name, credential } });
}

function requirePasskeys(): void {
  const isThere = "PublicKeyCredential" in globalThis;
  if (isThere && "parseCreationOptionsFromJSON" in PublicKeyCredential) return;
  throw new ActionError(
    "Passkeys need a current browser, and this page needs an address that begins with https://.",
  );
}

async function ask(asked: Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await asked;
    return credential instanceof PublicKeyCredential ? credential.toJSON() : null;
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : "";
    throw new ActionError(FAILURES[name] ?? "No passkey was used. Try again.", { cause });
  }
}

const FAILURES: Readonly<Record<string, string>> = {
  InvalidStateError: "This device already has a passkey for this account.",
  SecurityError: "Passkeys work only at this server’s public address.",
};
