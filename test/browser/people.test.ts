import { expect, test } from "bun:test";
import { totpCode } from "../../src/backend/auth/factors/totp.ts";
import type { OWNER } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { addAuthenticator, describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { personButton, setUpOwner, signOut } from "../support/owner.ts";
import { freePort } from "../support/postgres-cluster.ts";
import { startServer } from "../support/server-process.ts";
import { fromBase32 } from "../support/totp.ts";

const GRACE = { email: "grace@example.com", password: "a longer horse battery" };
const STEP_MS = 30_000;
const FOCUSED = "document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText";

async function signIn(page: Page, { email, password }: typeof OWNER) {
  await signOut(page);
  await page.fill("E-mail address", email);
  await page.fill("Password", password);
  await page.press("Sign in");
}

describeInChromium("people", () => {
  test("an owner invites an editor, who joins by the link and signs in with a second step", async () => {
    // A passkey is for the public address, which has to be known before the port is.
    const PORT = String(freePort());
    const PUBLIC_URL = `http://t${PORT}.localhost:${PORT}`;
    await using server = await startServer({ PORT, PUBLIC_URL });

    await withPage(async (page) => {
      await addAuthenticator(page);
      const address = await setUpOwner(page, server);
      await page.goto(`${address}/settings/people`);
      await page.shows("ada@example.com (you)");
      await page.press("Invite someone");
      await page.fill("E-mail address (optional)", GRACE.email);
      await expectAccessible(page);
      await page.press("Create invitation link");
      await page.shows("send it yourself");
      await expectAccessible(page);
      const link = await page.evaluate<string>("document.querySelector('dialog input').value");
      await page.press("Done");
      await page.shows("invited by ada@example.com");
      expect(await page.evaluate<string>(FOCUSED)).toBe("Invite someone");
      await expectAccessible(page);
      await page.press("Audit log");
      await page.shows("invited someone: grace@example.com");
      await expectAccessible(page);

      // Somebody else is signed in here still.
      await page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);
      await page.shows("ada@example.com is signed in here and will be signed out");
      await page.until(`location.hash === ""`);
      await expectAccessible(page);
      await page.fill("Your name", "Grace");
      await page.fill("E-mail address", GRACE.email);
      await page.fill("Password", GRACE.password);
      await page.press("Create account");
      await page.shows("Only owners can use this page.");
      await page.press("Settings");
      await page.press("API tokens");
      await page.shows("Create a token");
      await expectAccessible(page);
      await page.press("Security");

      await page.press("Set up authenticator app");
      await page.shows("Or type this secret");
      await page.until("document.querySelector('svg.qr-code path')");
      await expectAccessible(page);
      const shown = await page.evaluate<string>("document.querySelector('dialog code').innerText");
      const secret = fromBase32(shown.replaceAll(" ", ""));
      const step = Math.floor(Date.now() / STEP_MS);
      await page.fill("Code that the app shows", totpCode(secret, step));
      await page.press("Turn on");
      await page.shows("Save your recovery codes");
      await expectAccessible(page);
      await page.press("Done");
      await page.shows("10 of 10 recovery codes left");
      await expectAccessible(page);

      await signIn(page, GRACE);
      await page.shows("Enter your code");
      await page.until(`(${FOCUSED}) === "Code"`);
      await expectAccessible(page);
      // The step with which it was set up is used.
      await page.fill("Code", totpCode(secret, step + 1));
      await page.press("Sign in");
      await page.until(personButton("grace@example.com"));

      await page.press("Security");
      await page.press("Add a passkey");
      await page.fill("Name", "Laptop");
      await page.press("Add");
      await page.shows("Laptop");
      await signOut(page);
      await page.press("Sign in with a passkey");
      await page.until(personButton("grace@example.com"));
    });
  });
});
