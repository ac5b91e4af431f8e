import { type ApiClient, createApiClient, OWNER } from "./api-client.ts";
import { Page } from "./chromium.ts";
import { seedRegister } from "./seed-register.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { Tab } from "./tab.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** Where a page finds a server: under a host name of its own, so that tests share no cookie. */
export function addressOf({ url }: Pick<ServerProcess, "url">): string {
  const { port, pathname } = new URL(url);
  return `http://t${port}.localhost:${port}${pathname.replace(/\/$/, "")}`;
}

/** Gives all tabs the session of a client at an address. */
export async function shareSession(
  page: Tab,
  { cookies }: Pick<ApiClient, "cookies">,
  url: string,
): Promise<void> {
  for (const [name, value] of cookies) await page.setCookie(name, value, url);
}

/** Makes the owner of a fresh register past the form, and signs all tabs in; returns the address. */
export async function setUpOwner(page: Tab, server: ServerProcess): Promise<string> {
  const client = createApiClient(server.url);
  await client.setUp(server.setUpCode());
  await shareSession(page, client, addressOf(server));
  return addressOf(server);
}

/** Becomes the owner of a fresh register through its form, and ends on the home screen. */
export async function setUpByForm(page: Tab, server: ServerProcess): Promise<string> {
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

/** The button with the menu of the person who is signed in; of one person if `email` is given. */
export const personButton = (email = ""): string =>
  `document.querySelector('.sections [aria-label^="Signed in as ${email}"]')`;

export async function signOut(page: Tab): Promise<void> {
  await page.until(`(${personButton()}?.click(), !!${personButton()})`);
  await page.press("Sign out");
}

export type StartedRegister = Awaited<ReturnType<typeof startRegister>>;

/** Starts a server over a register of so many domains, with its owner. */
export async function startRegister(
  count: number,
  env: Record<string, string> = {},
  /** Changes the seeded file before the page is opened. */
  fill: (file: string) => void = () => undefined,
) {
  await using used = new AsyncDisposableStack();
  const { path } = used.use(createTemporaryFolder());
  const file = `${path}/register.sqlite`;
  const databaseUrl = `sqlite://${file}`;
  const server = used.use(await startServer({ ...env, DATABASE_URL: databaseUrl }));
  const client = createApiClient(server.url);
  await client.setUp(server.setUpCode());
  await seedRegister(file, count);
  fill(file);
  const started = used.move();
  return {
    /** For pages; programs find the server at `url`. */
    address: addressOf(server),
    url: server.url,
    databaseUrl,
    client,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

export type OpenRegister = Awaited<ReturnType<typeof openRegister>>;

/** Starts a server over a register, as `startRegister`, and opens a tab that is signed in. */
export async function openRegister(...started: Parameters<typeof startRegister>) {
  const used = new AsyncDisposableStack();
  const register = used.use(await startRegister(...started));
  const page = used.use(await Page.open());
  await shareSession(page, register.client, register.address);
  return { ...register, page, [Symbol.asyncDispose]: () => used.disposeAsync() };
}
