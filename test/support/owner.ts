import type { Page } from "./chromium.ts";
import type { ServerProcess } from "./server-process.ts";

/** Who owns the registers of the tests. */
export const OWNER = { email: "owner@example.org", password: "correct horse battery" };

/** Where a page finds a server: under a host name of its own, so that tests share no cookie. */
export function addressOf(server: ServerProcess): string {
  const { port } = new URL(server.url);
  return `http://t${port}.localhost:${port}`;
}

/** Becomes the owner of a fresh register through its form, and ends on the home screen. */
export async function setUpOwner(page: Page, server: ServerProcess): Promise<string> {
  const address = addressOf(server);
  // From elsewhere: from the same page it would be no load to wait for.
  await page.goto("about:blank");
  await page.goto(`${address}/home#set-up=${encodeURIComponent(server.setUpCode())}`);
  await page.fill("E-mail address", OWNER.email);
  await page.fill("Password", OWNER.password);
  await page.press("Create account");
  await page.shows("Add your first domains");
  return address;
}
