import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { addDays, utcToday } from "../../src/shared/day.ts";
import { OWNER } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInBrowsers } from "../support/firefox.ts";
import { addDomain } from "../support/domains.ts";
import { enter } from "../support/enter.ts";
import {
  addressOf,
  type StartedRegister,
  startRegister,
  setUpByForm,
  setUpOwner,
  shareSession,
  signOut,
} from "../support/owner.ts";
import { startServer } from "../support/server-process.ts";
import { textsInPdf } from "../support/pdf.ts";
import type { Tab } from "../support/tab.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { arrives, DROP, EXPORTS, looksRight } from "../support/wizard.ts";

/** The label of the control that has the focus. */
const labelOfFocused = (page: Tab) =>
  page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText",
  );

const focus = (page: Tab, name: string) =>
  page.evaluate(
    `[...document.querySelectorAll(".work a")].find((a) => a.innerText === "${name}").focus()`,
  );

const says = (page: Tab, answer: string) =>
  page.until(`document.querySelector("h1").textContent.startsWith("${answer}")`);

const DOES = (what: string) =>
  `[...document.querySelectorAll(".todo")].some((e) => e.innerText === ${JSON.stringify(what)})`;

/** One for both engines, as it takes seconds to fill: what they change in it they undo. */
let register: StartedRegister | undefined;
afterAll(() => register?.[Symbol.asyncDispose]());

describeInBrowsers("a person's way through the product", (withTab) => {
  test("set-up, sign-in, add, edit, reload, restart, delete, sign-out", async () => {
    using folder = createTemporaryFolder();
    const database = { DATABASE_URL: `sqlite://${join(folder.path, "register.sqlite")}` };
    await using first = await startServer(database);

    await withTab(async (page) => {
      await page.goto(`${addressOf(first)}/home`);
      await page.shows("Create the owner account");

      const address = await setUpByForm(page, first);
      expect(await page.evaluate<string>("location.href")).toBe(`${address}/home`);
      await expectAccessible(page);

      await signOut(page);
      await page.shows("Sign in");
      // A form may be open for longer than the cookies that it came with.
      expect(await page.dropCookies(address)).toBeGreaterThan(0);
      await page.fill("E-mail address", OWNER.email);
      await page.fill("Password", OWNER.password);
      await page.press("Sign in");
      await page.shows("Add your first domains");

      await page.press("Add a domain");
      await page.shows("Add a domain");
      await page.until("document.querySelector('dialog[open]')");
      await expectAccessible(page);
      await page.fill("Domain name", "Bücher.example");
      await page.fill("Registrar", "Gandi");
      await page.press("Add");
      await page.shows("bücher.example");
      await page.until("document.querySelector('th[title=\"xn--bcher-kva.example\"]')");

      await page.press("Actions for bücher.example");
      await page.press("Edit");
      await page.until("document.querySelector('dialog[open]')");
      await page.fill("Owner", "Ada");
      await page.press("Save");
      await page.until("!document.querySelector('dialog[open]')");
      await page.shows("Ada");

      await page.reload();
      await page.shows("Ada");

      const { port } = new URL(first.url);
      expect(await first.stop()).toBe(0);
      await using second = await startServer({ ...database, PORT: port });
      expect(second.output()).not.toContain("set-up");
      await page.reload();
      await page.shows("Ada");
      await page.shows("Gandi");

      await page.press("Actions for bücher.example");
      await page.press("Delete");
      await page.shows("Delete bücher.example?");
      await expectAccessible(page);
      await page.press("Delete");
      await page.until("!document.querySelector('dialog[open]')");
      await page.shows("No domains yet");
      await expectAccessible(page);

      await page.press(
        await page.evaluate("document.querySelector('nav a').getAttribute('aria-label')"),
      );
      await page.shows("Add your first domains");
      // A request of home that comes later would be 401, and ask to sign in again.
      await page.until(`performance.now() - 500
        > Math.max(...performance.getEntriesByType("resource").map(({ responseEnd }) => responseEnd))`);
      expect(await page.dropCookies(address)).toBeGreaterThan(0);
      await signOut(page);
      await page.shows("Sign in");
      await page.goto(`${address}/domains`);
      await page.shows("Sign in");
      expect(await page.evaluate<string>("document.body.innerText")).not.toContain("Ada");
    });
  });

  test("takes three layouts in, chosen, dropped and pasted, and back out", async () => {
    await using server = await startServer();
    await withTab(async (page) => {
      const address = await setUpOwner(page, server);
      await page.goto(`${address}/domains/import`);
      await page.shows(DROP);
      await looksRight(page);

      await page.choose(DROP, join(EXPORTS, "godaddy-full.csv"));
      await arrives(page, "Check the columns");
      await page.shows("GoDaddy export recognised");
      await page.shows("Not read");
      await page.shows("3 new");

      await page.press("Preview");
      await arrives(page, "Review changes");
      await page.shows("$1,018.99");

      await page.press("Import 3 domains");
      await arrives(page, "Import complete");
      await page.shows("3 domains added.");
      await looksRight(page);
      await page.press("Show these domains");
      await page.shows("münchen.example");
      expect(await page.evaluate<string>("location.search")).toStartWith("?import=");
      await page.shows("Import: godaddy-full.csv");

      await enter(page, address, "/domains/import");
      await page.shows(DROP);
      const ovh = await Bun.file(join(EXPORTS, "ovh.csv")).text();
      await page.evaluate(`(() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([${JSON.stringify(ovh)}], "ovh.csv"));
          const how = { dataTransfer, bubbles: true, cancelable: true };
          document.querySelector("footer").dispatchEvent(new DragEvent("drop", how));
        })()`);
      await arrives(page, "Check the columns");
      await page.shows("OVHcloud export recognised");
      await page.press("Preview");
      // The rows push the button down when they come.
      await page.shows("blauwal.example");
      await page.press("Import 3 domains");
      await arrives(page, "Import complete");

      await page.press("Import another file");
      await arrives(page, "Choose files");
      const list = await Bun.file(join(EXPORTS, "edge-headerless.txt")).text();
      await page.evaluate(`(() => {
          const box = document.querySelector("textarea");
          box.focus();
          document.execCommand("insertText", false, ${JSON.stringify(list)});
        })()`);
      await page.press("Continue");
      await arrives(page, "Check the columns");
      await page.press("Preview");
      await page.shows("Nothing to import.");
      await page.shows("Unchanged\n4");
      await page.press("File");
      await page.press("Undo ovh.csv");
      await page.press("Undo import");
      await arrives(page, "Import undone");
    });
  });

  test("is worked through by keyboard until all is clear, and leads on by the palette", async () => {
    await using own = await startRegister(0);
    const { address: url, client } = own;
    for (const [label, days, autoRenew, decision] of [
      ["card-failed", -3, true, "keep"],
      ["first", 3, false, null],
      ["second", 20, false, null],
      ["third", 40, false, null],
      ["charged", 50, true, "drop"],
      ["later", 200, null, null],
      ["safe", 10, true, null],
    ] as const) {
      const expires = addDays(utcToday(), days);
      await addDomain(client, { name: `${label}.example`, expires, autoRenew, decision });
    }

    await withTab(async (page) => {
      await page.goto("about:blank");
      await shareSession(page, client, url);
      await page.goto(`${url}/home`);
      await page.shows("Check the payment");
      await says(page, "1 domain needs you this week");
      await page.shows("Next 12 months");
      await expectAccessible(page, "target-size");
      await page.view.resize(320, 640);
      await expectAccessible(page, "target-size");
      await page.view.resize(1280, 800);

      // The row leaves, the next one has the focus, and nothing scrolls.
      await focus(page, "first.example");
      const before = await page.evaluate<number>("scrollY");
      await page.view.press("y");
      await page.shows("first.example: Keep.");
      expect(await labelOfFocused(page)).toBe("second.example");
      expect(await page.evaluate<number>("scrollY")).toBe(before);
      await page.until(DOES("Renew"));
      await page.press("Undo");
      await page.until(`!${DOES("Renew")}`);
      for (const [key, name] of [
        ["y", "first"],
        ["t", "second"],
        ["d", "third"],
      ] as const) {
        await focus(page, `${name}.example`);
        await page.view.press(key);
      }
      await page.until(`!${DOES("Keep or drop?")}`);
      await page.shows("Start the transfer");

      await page.press("Renewed card-failed.example");
      await page.shows("New expiry date");
      await expectAccessible(page);
      await page.press("Save");
      await page.shows("card-failed.example now expires on");
      await page.press("Renewed first.example");
      await page.press("Wait for the next import");
      await page.shows("first.example is done.");
      await focus(page, "second.example");
      await page.view.press("x");
      await page.press("Save");
      await page.shows("second.example now expires on");
      await focus(page, "charged.example");
      await page.view.press("x");
      await says(page, "All clear until");
      await page.shows("Auto-renew is off for charged.example.");
      expect(await labelOfFocused(page)).toStartWith("All clear until");
      await page.shows("1 domain renews by itself before.");
      await expectAccessible(page);

      await page.view.press("k", { modifiers: ["Control"] });
      await page.until("document.activeElement.role === 'combobox'");
      await page.view.type("later");
      await page.until(
        "document.querySelector('[role=option]')?.innerText.includes('later.example')",
      );
      await expectAccessible(page);
      await page.view.press("Enter");
      await page.until("location.pathname === '/domains/later.example'");
      await page.until("!document.querySelector('dialog')");
      await page.view.press("k", { modifiers: ["Control"] });
      await page.until("document.activeElement.role === 'combobox'");
      await page.view.press("Escape");
      await page.until("!document.querySelector('dialog')");
    });
  });

  describe("in a register of 20,000 domains", () => {
    async function inRegister(path: string, use: (page: Tab) => Promise<void>) {
      const { client, address } = (register ??= await startRegister(20_000));
      await withTab(async (page) => {
        await shareSession(page, client, address);
        await page.goto(address + path);
        await use(page);
      });
    }

    test("goes to the last row and back, and prints the rows in sight", async () => {
      await inRegister("/domains?sort=name", async (page) => {
        const row = (at: number) =>
          page.until(`document.getElementById("row-${at}")?.querySelector("a")`);
        await row(0);
        await page.evaluate("scrollTo(0, document.body.scrollHeight)");
        await row(19_999);
        // Rows stand where the length of the page says, and cover what is in sight.
        const gaps = await page.evaluate<number[]>(`(() => {
          const rows = document.querySelectorAll("tbody tr");
          return [rows[0].getBoundingClientRect().top,
            innerHeight - rows[rows.length - 1].getBoundingClientRect().bottom];
        })()`);
        expect(Math.max(...gaps)).toBeLessThan(200);
        await page.evaluate("scrollTo(0, 0)");
        await row(0);
        // No empty pages for the others.
        const printed = textsInPdf(await page.print()).join("");
        expect(printed.match(/\/Type\s*\/Page\b/g)?.length).toBeWithin(1, 5);
        await page.view.click("#row-3 input");
        await page.press("Drop");
        await page.shows("1 domain marked Drop.");
        await page.view.press("z");
        await page.shows("Change undone for 1 domain.");
      });
    });

    test("shows a domain beside the list, goes on to the next, and returns to the row", async () => {
      await inRegister("/domains?sort=name&q=name-0001", async (page) => {
        await page.shows("10 domains found");
        // Anywhere in the row, once it rests where it is, with a pointer that hovers first.
        const box = `document.querySelector("#row-2 .of-expires").getBoundingClientRect()`;
        await page.until(`window.restedAt === (window.restedAt = ${box}.top)`);
        const [x = 0, y = 0] = await page.evaluate<number[]>(`[${box}.left + 5, ${box}.top + 20]`);
        await page.view.click(x, y);
        await page.until("document.querySelector('.domain-panel .answer')");
        await page.until("document.activeElement.textContent === 'name-00012.example'");
        expect(await page.evaluate<string>("location.search")).toEndWith(
          "&open=name-00012.example",
        );
        await expectAccessible(page);
        await page.view.press("j");
        await page.until("document.activeElement.textContent === 'name-00013.example'");
        await page.until("document.querySelector('tr.current').ariaRowIndex === '5'");
        await page.view.press("k");
        await page.until("document.activeElement.textContent === 'name-00012.example'");
        await page.view.press("k");
        await page.until("document.activeElement.textContent === 'name-00011.example'");
        await page.view.press("Escape");
        await page.until("!document.querySelector('.domain-panel')");
        await page.until("document.activeElement.closest('tr')?.id === 'row-1'");

        await page.view.press("Enter");
        await page.until("document.querySelector('.domain-panel .answer')");
        await page.press("Open the page");
        await page.until("document.querySelector('h1').textContent === 'name-00011.example'");
        await page.evaluate("history.back()");
        await page.until("document.querySelector('.domain-panel')");
        await page.evaluate("history.back()");
        await page.until("!document.querySelector('.domain-panel')");
        expect(await page.evaluate<string>("location.search")).toBe("?q=name-0001&sort=name");
      });
    });

    test("is worked with by keyboard alone", async () => {
      await inRegister("/domains?sort=name&q=name-0000", async (page) => {
        await page.shows("3 domains found");
        const focused = () => page.evaluate<string>("document.activeElement.textContent");
        await page.evaluate("document.activeElement.blur()");
        await page.view.press("ArrowDown");
        await page.view.press("ArrowDown");
        const second = await focused();
        expect(second).toMatch(/^name-0000\d.example$/);
        await page.view.press("Space");
        await page.shows("1 domain selected");
        await page.view.press("ArrowDown");
        await page.view.press("Space", { modifiers: ["Shift"] });
        await page.shows("2 domains selected");
        const focuses = (name: string) => {
          const named = "document.activeElement.ariaLabel ?? document.activeElement.innerText";
          return page.until(`(${named}) === ${JSON.stringify(name)}`);
        };
        await page.view.press("e");
        await focuses("Keep");
        await page.view.press("Tab", { modifiers: ["Shift"] });
        await focuses("Select all 3 that match");
        await page.view.press("Enter");
        await page.shows("All 3 domains that match are selected");
        await page.press("Clear");
        await page.until("!document.querySelector('.bulk-bar')");
        // On a row: nothing that acts on all of them is a key away.
        await page.until("document.activeElement.matches('.row-link')");

        await page.evaluate("document.querySelector('.domains-tools .dropdown-button').focus()");
        await page.view.press("Enter");
        await page.until("document.querySelector('.facet-values input')");
        while (!(await page.evaluate<boolean>("document.activeElement.type === 'search'")))
          await page.view.press("Tab");
        await page.view.type("gan");
        await page.view.press("Tab");
        await page.view.press("Space");
        await page.view.press("Enter");
        await focuses("Filter (1)");
        await page.until("location.search.includes('registrar=%7Egan')");
        await page.evaluate("document.querySelector('[aria-label^=Remove]').focus()");
        await page.view.press("Enter");
        await page.until("!document.querySelector('[aria-label^=Remove]')");
        await page.shows("3 domains found");
        await page.evaluate("document.activeElement.blur()");
        await page.view.press("?");
        await page.until("document.querySelector('dialog[open]')");
        await page.shows("Select everything since the last selected domain");
        await expectAccessible(page);
        await page.view.press("Escape");
        await page.until("!document.querySelector('dialog[open]')");
        // Nothing had the focus before. A box that got it now would take the next key.
        await page.until("document.activeElement.matches('h1')");
        await page.view.press("ArrowDown");
        await page.until("document.activeElement.closest('tbody tr')");
        await page.view.press("/");
        await page.until("document.activeElement.type === 'search'");
      });
    });
  });
});
