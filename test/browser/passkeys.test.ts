import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { OWNER } from "../support/api-client.ts";
import { addAuthenticator, describeInChromium, withPage, type Page } from "../support/chromium.ts";
import { freePort } from "../support/postgres-cluster.ts";
import { startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** What a page does to use passkeys: the API, and the browser between its two halves. */
const IN_PAGE = `
  async function call(method, path, json) {
    const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? "";
    const headers = { "Content-Type": "application/json", "X-XSRF-TOKEN": decodeURIComponent(token) };
    const body = json && JSON.stringify(json);
    const response = await fetch(path, method === "GET" ? {} : { method, headers, body });
    return { status: response.status, ...(await response.json().catch(() => ({}))) };
  }
  async function add(name) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await call("POST", "/api/passkeys"));
    const credential = await navigator.credentials.create({ publicKey });
    return call("POST", "/api/passkeys/confirm", { name, credential: credential.toJSON() });
  }
  async function answer() {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await call("POST", "/api/passkeys/sign-in"));
    return { passkey: (await navigator.credentials.get({ publicKey })).toJSON() };
  }
  async function signIn() {
    return call("POST", "/api/token", await answer());
  }
`;

interface Answer {
  status: number;
  state?: string;
  id?: string;
}

const run = (page: Page, script: string) => page.evaluate<Answer>(`(async () => { ${script} })()`);

interface Credential {
  credentialId: string;
  signCount: number;
}

describeInChromium("a passkey", () => {
  test("signs in by itself, once for each challenge, as long as its counter grows", async () => {
    using folder = createTemporaryFolder();
    const file = `${folder.path}/register.sqlite`;
    // A passkey is for the public address, which has to be known before the port is.
    const PORT = String(freePort());
    const PUBLIC_URL = `http://localhost:${PORT}`;
    const env = { DATABASE_URL: `sqlite://${file}`, PORT, PUBLIC_URL };
    await using server = await startServer(env);
    /** Disables everybody's account, or enables it. */
    const disable = (disabled: number) => {
      using database = new Database(file);
      database.run("pragma busy_timeout = 5000");
      database.run("update users set disabled = ?", [disabled]);
    };
    await withPage(
      async (page) => {
        await page.goto(`${PUBLIC_URL}/robots.txt`);
        const { view } = page;
        const { authenticatorId } = await addAuthenticator(page);
        const owner = JSON.stringify({ setUpCode: server.setUpCode(), ...OWNER });
        await run(
          page,
          `await call("GET", "/api/token"); return call("POST", "/api/token", ${owner})`,
        );
        const passkey = await run(page, `return add("Laptop")`);
        expect(passkey).toMatchObject({ status: 201, name: "Laptop", lastUsedAt: null });
        expect(await run(page, `return call("GET", "/api/token")`)).toMatchObject({
          factors: ["passkey"],
        });

        await run(page, `return call("DELETE", "/api/token")`);
        const signedOut = { state: "signed-out", signIn: ["password", "passkey"] };
        expect(await run(page, `return call("GET", "/api/token")`)).toMatchObject(signedOut);
        const signedIn = { status: 200, state: "signed-in" };
        expect(await run(page, `return signIn()`)).toMatchObject(signedIn);
        // The same answer again, and one to a challenge of another session.
        const replay = `const given = await answer(); await call("POST", "/api/token", given);
          return call("POST", "/api/token", given)`;
        expect(await run(page, replay)).toMatchObject({ status: 401 });
        const stray = `const given = await answer(); await call("DELETE", "/api/token");
          return call("POST", "/api/token", given)`;
        expect(await run(page, stray)).toMatchObject({ status: 401 });

        const { credentials } = await view.cdp<{ credentials: Credential[] }>(
          "WebAuthn.getCredentials",
          { authenticatorId },
        );
        const [copied] = credentials;
        if (copied === undefined) throw new Error("The authenticator has no passkey");
        const { credentialId } = copied;
        await view.cdp("WebAuthn.removeCredential", { authenticatorId, credentialId });
        const credential = { ...copied, signCount: 0 };
        await view.cdp("WebAuthn.addCredential", { authenticatorId, credential });
        expect(await run(page, `return signIn()`)).toMatchObject({ status: 401 });
        await view.cdp("WebAuthn.removeCredential", { authenticatorId, credentialId });
        const ahead = { ...copied, signCount: copied.signCount + 10 };
        await view.cdp("WebAuthn.addCredential", { authenticatorId, credential: ahead });
        expect(await run(page, `return signIn()`)).toMatchObject({ status: 200 });
        disable(1);
        const detail = "This account is disabled. Ask an owner to enable it.";
        const start = `await call("GET", "/api/token");`;
        expect(await run(page, `${start} return signIn()`)).toMatchObject({ status: 403, detail });
        disable(0);
        expect(await run(page, `${start} return signIn()`)).toMatchObject({ status: 200 });

        const remove = `return call("DELETE", "/api/passkeys/${passkey.id}")`;
        expect(await run(page, remove)).toMatchObject({ status: 204 });
        expect(await run(page, remove)).toMatchObject({ status: 404 });
        expect(await run(page, `return signIn()`)).toMatchObject({ status: 401 });
        await view.cdp("WebAuthn.disable");
        // The browser tells of each refusal.
        page.complaints.length = 0;
      },
      { before: IN_PAGE },
    );
  });
});
