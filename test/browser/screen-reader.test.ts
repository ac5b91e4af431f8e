import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Domain } from "../../src/shared/domain.ts";
import { faultsHeard } from "../support/accessibility-tree.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { deleteDomain } from "../support/domains.ts";
import { enter } from "../support/enter.ts";
import { importFile, previewOf } from "../support/import-client.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";

/** The menu or the dialog that is open. */
const OPEN = "document.querySelector('dialog[open]:modal, :popover-open')";

/** What opens a menu or a dialog on a screen: buttons to press, one after the other. */
const SCREENS: Record<string, string[][]> = {
  "/home": [["More for παράδειγμα.δοκιμή"], ["Signed in as ada@example.com"], ["Search Ctrl K"]],
  "/domains": [["Filter"], ["Views"], ["Actions for bücher.example"], ["Add a domain"]],
  "/domains?selected": [["More"], ["Renewed…"], ["More", "Edit…"], ["More", "Delete…"]],
  "/domains/xn--80ak6aa92e.com": [["More for аррӏе.com"], ["Edit"]],
  "/domains/import": [],
  "/domains/import?preview": [],
  "/domains/bin": [["Empty the bin"]],
  "/changes": [],
  "/costs": [],
  "/registrars": [["Price list of Gandi"], ["Edit Gandi"]],
  "/registrars/connect": [],
  "/checks": [],
  "/settings": [],
  "/settings/people": [["Invite someone"], ["Actions for ada@example.com"]],
  "/settings/security": [],
  "/settings/tokens": [["Create a token"]],
  "/settings/reminders": [["Set up e-mail"]],
  "/settings/audit": [],
  "/nowhere": [],
};

describeInChromium("a screen reader", () => {
  let register: OpenRegister;
  let page: Page;
  let preview = "";

  beforeAll(async () => {
    register = await openRegister(60);
    ({ page } = register);
    const { client } = register;
    await importFile(client, "Domain,Expires\nfresh-1.example,2028-05-05\n");
    const { id } = (await client.json("/api/domains/fresh-1.example")) as Domain;
    await deleteDomain(client, id);
    preview = (await previewOf(client, "Domain,Expires\nnew.example,2028-05-05\nno name,soon\n"))
      .id;
  });
  afterEach(() => {
    // The browser's own, about a status of 404.
    expect(page.complaints.splice(0).filter((each) => !each.includes("404"))).toEqual([]);
  });
  afterAll(() => register[Symbol.asyncDispose]());

  async function show(path: string) {
    const shown = path.replace("?preview", `?id=${preview}&step=preview`).replace("?selected", "");
    await enter(page, register.address, shown);
    await page.until(`document.querySelector(".sections nav") && document.querySelector("main h1")
      && !document.querySelector("main .skeleton")`);
    if (!path.endsWith("?selected")) return;
    await page.evaluate("document.querySelector('tbody .pick input').click()");
    await page.until("document.querySelector('.bulk-bar')");
  }

  for (const [path, ways] of Object.entries(SCREENS)) {
    test(`hears ${path} without a fault, its menus and its dialogs too`, async () => {
      const faults: Record<string, string[]> = {};
      await show(path);
      for (const way of [[], ...ways]) {
        for (const name of way) await page.press(name);
        if (way.length > 0) await page.until(OPEN);
        if (way.includes("Search Ctrl K"))
          await page.until("document.querySelector('[role=option]')");
        const heard = await faultsHeard(page);
        if (heard.length > 0) faults[[path, ...way].join(" → ")] = heard;
        if (way.length > 0) await page.view.press("Escape");
        await page.until(`!(${OPEN})`);
      }
      expect(faults).toEqual({});
    });
  }
});
