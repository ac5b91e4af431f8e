import { expect, test } from "bun:test";
import { join } from "node:path";
import { createApiClient, OWNER } from "../support/api-client.ts";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { addDomain } from "../support/domains.ts";
import { addressOf, personButton, shareSession, signOut } from "../support/owner.ts";
import { PROJECT, startServer } from "../support/server-process.ts";
import { passOn } from "../support/shaky-server.ts";

const EXPORT = join(PROJECT, "test/data/registrar-exports/godaddy-full.csv");
/** Where links of the page lead that are of its host but not of its register. */
const linksElsewhere = (base: string) =>
  `[...document.links].map(({ href }) => href)
    .filter((href) => href.startsWith(location.origin) && !href.startsWith("${base}/"))`;

/** A reverse proxy with a server at its root, and one below a path, which it takes off. */
function startPathProxy(root: string, path: string, below: string) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      const isBelow = `${pathname}/`.startsWith(`${path}/`);
      const sent = isBelow ? pathname.slice(path.length) || "/" : pathname;
      return passOn(request, new URL(isBelow ? below : root).origin + sent + search);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

describeInChromium("two registers of one host, one of them below a path", () => {
  test("are used side by side, where the proxy takes that path off", async () => {
    await using names = await startServer();
    await using other = await startServer({ BASE_PATH: "/tools/other", BRAND: "Acre" });
    await using proxy = startPathProxy(names.url, "/tools/other", other.url);
    const host = addressOf(proxy);
    const second = createApiClient(`${proxy.url}/tools/other`);
    await second.setUp(other.setUpCode());

    await withPage(async (page) => {
      /** Goes through the settings without a new document, and loads a deep address anew. */
      const lookAround = async (base: string, email: string) => {
        await page.until(`location.href === "${base}/home"`);
        await page.shows("Add your first domains");
        await page.evaluate("window.sameDocument = true");
        await page.press("Settings");
        await page.until(personButton(email));
        expect(await page.evaluate<unknown>(linksElsewhere(base))).toEqual([]);
        await page.press("Security");
        await page.shows("This device");
        expect(await page.evaluate<unknown>("window.sameDocument")).toBe(true);
        await page.reload();
        await page.shows("This device");
        expect(await page.evaluate<unknown>("location.href")).toBe(`${base}/settings/security`);
      };

      await page.goto(`${host}/home#set-up=${names.setUpCode()}`);
      await page.fill("E-mail address", "grace@example.com");
      await page.fill("Password", OWNER.password);
      await page.press("Create account");
      await lookAround(host, "grace@example.com");

      const base = `${host}/tools/other`;
      await shareSession(page, second, host);
      page.requests.length = 0;
      // To its root, which has no slash at its end.
      await page.goto(base);
      await lookAround(base, OWNER.email);
      await page.goto(`${base}/domains/import`);
      await page.choose("Drop files here, or choose them", EXPORT);
      await page.shows("GoDaddy export recognised");
      await addDomain(second, { name: "xn--mnchen-3ya.example", registeredOn: "2019-03-02" });
      await page.press("Domains");
      await page.shows("münchen.example");
      expect(await page.evaluate<unknown>(linksElsewhere(base))).toEqual([]);
      // What a register at the root of the host has kept is not of this one.
      await page.evaluate("localStorage.setItem('home-notice reminders', 'dismissed')");
      await page.goto(`${base}/home`);
      await page.shows("Set up reminders");
      await page.goto(`${base}/domains/xn--mnchen-3ya.example`);
      await page.shows("Registered on");
      expect(await page.evaluate<unknown>(linksElsewhere(base))).toEqual([]);
      expect(page.requests.filter((url) => !`${url}/`.startsWith(`${base}/`))).toEqual([]);

      // The first is still signed in, and to sign out of it leaves the second alone.
      await page.goto(`${host}/settings`);
      await page.until(personButton("grace@example.com"));
      await signOut(page);
      await page.shows("Forgot your password?");
      await page.goto(`${base}/settings`);
      await page.until(personButton(OWNER.email));
      await page.shows("Export all domains");
      const exported = "fetch(document.querySelector('a[download]').href).then((a) => a.text())";
      expect(await page.evaluate<string>(exported)).toContain("xn--mnchen-3ya.example");
    });
  });
});
