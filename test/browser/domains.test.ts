import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";

/** Far more than one window of rows; what 20,000 cost is for the benchmarks. */
const COUNT = 2000;
/** The first rows as the page shows them. */
const ROWS = `[...document.querySelectorAll("tbody tr")]`;

describeInChromium("a register of 2,000 domains", () => {
  let register: OpenRegister;
  let address: string;
  let page: Page;

  beforeAll(async () => {
    register = await openRegister(COUNT);
    ({ address, page } = register);
  });
  afterEach(() => expect(page.complaints).toEqual([]));
  afterAll(() => register[Symbol.asyncDispose]());

  /** Goes to a screen and waits for it. All tabs are signed in, as they share their cookies. */
  async function show(tab: Page, path: string) {
    await enter(tab, address, path);
    await tab.until(`document.querySelector("main :is(table, .board, dl, .empty)")`);
  }

  test("is scrolled from one end to the other, a window of rows at a time", async () => {
    await show(page, "/domains?sort=name");
    await page.until(`document.querySelector("table[aria-rowcount='${COUNT + 1}']")`);
    // What the address asks for, and nothing before it.
    const lists = page.requests.filter((url) => url.includes("/api/domains?"));
    expect(lists.filter((url) => !url.includes("sort=name"))).toEqual([]);
    const seenAt = async (width: number) => {
      const size = { width, height: 800, deviceScaleFactor: 1, mobile: false };
      await page.view.cdp("Emulation.setDeviceMetricsOverride", size);
      await page.until(`innerWidth === ${width}`);
      return page.evaluate<{ top: number; height: number }>(`(() => {
        const { top, height } = document.getElementById("row-1").getBoundingClientRect();
        return { top: top - height, height };
      })()`);
    };
    const seen = await seenAt(1280);
    expect(seen.height).toBe(36);
    expect(seen.top).toBeLessThanOrEqual(250);
    const shown = "document.querySelector('td.of-autoRenew').checkVisibility()";
    await page.until(`!${shown}`);
    expect((await seenAt(1920)).height).toBe(36);
    await page.until(shown);
    await page.view.cdp("Emulation.clearDeviceMetricsOverride", {});
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.until(`document.getElementById("row-${COUNT - 1}")?.querySelector("a")`);
    expect(await page.evaluate<number>(`${ROWS}.length`)).toBeLessThan(80);
    const last = `document.getElementById("row-${COUNT - 1}")`;
    expect(await page.evaluate<string>(`${last}.querySelector("a").textContent`)).toBe("例子.測試");
    expect(await page.evaluate<string>(`${last}.getAttribute("aria-rowindex")`)).toBe(
      String(COUNT + 1),
    );
    await page.view.cdp("Emulation.setEmulatedMedia", { media: "print" });
    await page.shows("of 2,000. To print all of them, export the list as CSV.");
    // All of its columns lie on the sheet, at its left edge.
    for (const part of [".domain-table", ".print-note"]) {
      const [left = 0, right = 0] = await page.evaluate<number[]>(`(() => {
        const { left, right } = document.querySelector("${part}").getBoundingClientRect();
        return [left, innerWidth - right];
      })()`);
      expect([left < 40, right >= 0]).toEqual([true, true]);
    }
    await page.view.cdp("Emulation.setEmulatedMedia", { media: "" });
  });

  test("has few elements in each row, and no menu that is closed", async () => {
    // All kinds of rows: in conflict, without a date, with an A-label that is shown as well.
    await show(page, "/domains?sort=-expires");
    await page.until(`${ROWS}.length > 10 && !document.querySelector("tr.loading")`);
    const inRows = await page.evaluate<number>(`document.querySelectorAll("tbody *").length`);
    const rows = await page.evaluate<number>(`${ROWS}.length`);
    expect(inRows / rows).toBeLessThan(28);
    // All of a row is its link, but for what can be pressed beside it.
    const covered = await page.evaluate<string[]>(`${ROWS}.slice(4, 12).flatMap((row) => {
      const at = (element, x, y) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(left + width * x, top + height * y);
      };
      const pressed = [...row.querySelectorAll("td a, button, input")].filter((each) =>
        each.checkVisibility(),
      );
      return [
        ...pressed.filter((each) => at(each, 0.5, 0.5) !== each),
        ...[...row.cells].filter((cell) => cell.checkVisibility() && !at(cell, 0.98, 0.1)?.closest("a, button")),
      ].map((each) => each.outerHTML);
    })`);
    expect(covered).toEqual([]);
    // What is closed is not there.
    expect(
      await page.evaluate<number>(`document.querySelectorAll("[popover], dialog").length`),
    ).toBe(0);
  });

  test("is filtered, selected to the last domain, changed at once and undone", async () => {
    await show(page, "/domains");
    await page.press("Filter");
    await page.until("document.querySelector('.facet-values input')");
    await expectAccessible(page);
    for (const registrar of ["Gandi", "OVH"]) {
      await page.evaluate(`[...document.querySelectorAll(".facet-values label")]
        .find((label) => label.innerText.startsWith("${registrar}")).click()`);
    }
    await page.view.click(".filter-menu [type=submit]");
    await page.shows("800 domains found");
    expect(await page.evaluate<string>("location.search")).toBe("?registrar=Gandi&registrar=OVH");

    await page.press("Views");
    await page.fill("Save this view as", "Gandi and OVH");
    await page.press("Save");
    await page.shows("Delete this view");
    await expectAccessible(page);
    await page.view.press("Escape");

    await page.view.click("[aria-label='Select all domains that match']");
    const allAndCost =
      "/^All 800 domains that match are selected · .+ \\+ .+\\/year$/.test(document.querySelector('.bulk-bar > p').innerText)";
    await page.until(allAndCost);
    const scope = "document.querySelector('.bulk-bar > .button')";
    // Down to the bar that lies over the rows: the middle of one may be in the gap below it.
    const seen = `${ROWS}.findIndex((row) => {
      const { top, height } = row.getBoundingClientRect();
      return !row.contains(document.elementFromPoint(innerWidth / 2, top + height / 2));
    })`;
    await page.until(`${scope}.innerText === "Only those on the screen"`);
    const count = await page.evaluate<number>(seen);
    await page.view.click(".bulk-bar > .button");
    await page.shows(`${count} domains selected`);
    await page.press("Select all 800 that match");
    // The buttons move once the cost is there.
    await page.until(allAndCost);
    await page.press("Keep");
    await page.shows("Type 800 to confirm");
    await page.view.press("Enter");
    await page.shows("Enter the number of domains: 800.");
    await expectAccessible(page);
    await page.press("Cancel");
    await page.press("More");
    await expectAccessible(page);
    await page.press("Edit…");
    await page.until("document.querySelector('dialog[open]')");
    await expectAccessible(page);
    await page.fill("Owner", "Grace Hopper");
    await page.fill("Add tags", "moved");
    await page.press("Save 800 domains");
    await page.shows("800 domains changed.");

    await show(page, "/domains?tag=moved&owner=grace%20hopper");
    await page.shows("800 domains found");
    await page.press("Remove filter Owner: grace hopper");
    await page.until("location.search === '?tag=moved'");
    await page.press("Views");
    await page.press("Gandi and OVH");
    // As many domains as before: what tells the views apart is the filter.
    await page.shows("Registrar: Gandi or OVH");
    await page.until("document.querySelector('.domain-table').ariaBusy === 'false'");
    await page.shows("800 domains found");
    await page.view.click("#row-6 input");
    await page.press("Drop");
    await page.shows("1 domain marked Drop.");
    await page.shows("To drop");
    await page.press("Undo");
    await page.shows("Change undone for 1 domain.");
  });

  test("tags what is typed into the box of a menu, and decides nothing", async () => {
    await show(page, "/domains?sort=name&q=name-0000");
    await page.shows("3 domains found");
    await page.view.click("[aria-label^='Select']");
    // What they cost comes later, and moves the buttons.
    await page.shows("/year");
    await page.press("More");
    // The menu itself has the focus: no key gets through to the list or to an action.
    await page.view.type("review");
    await page.view.press("Enter");
    await page.press("Tag…");
    await page.view.type("review");
    await page.view.press("Enter");
    await page.shows("3 domains tagged: review.");
    await page.press("Undo");
    await page.shows("Change undone for 3 domains.");
  });

  test("keeps the focus of a row that is scrolled away, and goes on from there", async () => {
    // Without the name of 253 letters, which leaves no room for the registrar.
    await show(page, "/domains?sort=name&q=name-");
    await page.until("document.querySelector('#row-4 .of-registrar a')?.checkVisibility()");
    const focused = () =>
      page.evaluate<string>(`(() => {
        const { ariaLabel, innerText } = document.activeElement;
        return (ariaLabel ?? innerText) + " " + document.activeElement.closest("tr")?.ariaRowIndex;
      })()`);
    await page.evaluate("document.querySelector('#row-4 a').focus()");
    const name = await page.evaluate<string>("document.activeElement.innerText");
    const registrar = await page.evaluate<string>(
      "document.querySelector('#row-4 .of-registrar a').innerText",
    );
    // So far that the list lets go of the row itself.
    for (const row of [900, 1800]) {
      await page.evaluate(`scrollTo(0, document.body.scrollHeight * ${row / COUNT})`);
      await page.until(`${ROWS}.some((each) => each.querySelector("a") &&
        Math.abs(each.ariaRowIndex - ${row}) < 50)`);
      expect(await focused()).toBe(`${name} 6`);
    }
    await page.view.press("Tab");
    expect(await focused()).toBe(`${registrar} 6`);
    await page.until(
      "document.activeElement.getBoundingClientRect().top > 0 && !document.querySelector('.focused')",
    );
    expect(await focused()).toBe(`${registrar} 6`);
    await page.until("document.getElementById('row-5')?.querySelector('a')");
    await page.view.press("ArrowDown");
    expect(await focused()).toMatch(/ 7$/);
  });

  test("is accessible and never scrolls sideways on a small dark screen", async () => {
    const long = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(56)}.test`;
    const options = { width: 360, media: { "prefers-color-scheme": "dark" } };
    await withPage(async (small) => {
      for (const path of ["/home", "/domains", "/domains/xn--80ak6aa92e.com", `/domains/${long}`]) {
        await show(small, path);
        await small.until("!document.querySelector('.skeleton')");
        await expectAccessible(small);
        const { scrollWidth, clientWidth } = await small.evaluate<HTMLElement>(`(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return { scrollWidth, clientWidth };
        })()`);
        expect(scrollWidth).toBe(clientWidth);
      }
      // The whole form.
      await show(small, "/domains?add");
      await small.fill("Domain name", "https://www.added.example/shop");
      await small.shows("Read as added.example");
      await small.fill("Tags", "shop,client");
      await small.view.press("Enter");
      await small.fill("Expiry date", "12/31/2027");
      await small.shows("December 31, 2027");
      await small.evaluate("document.querySelector('dialog summary').click()");
      await small.press("Add a field");
      await expectAccessible(small);
    }, options);
  });
});
