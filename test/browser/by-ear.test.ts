import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { focused } from "../support/accessibility-tree.ts";
import { OWNER } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, Page } from "../support/chromium.ts";
import { expectHeard, LISTEN } from "../support/heard.ts";
import { ODD_NAMES } from "../support/seed-register.ts";
import { shareSession, type StartedRegister, startRegister } from "../support/owner.ts";

const UNDO = "Press z to undo. Undo Dismiss";

/** Farther than this, nobody goes by one key. */
const MAX_STEPS = 25;

describeInChromium("what is said by itself, after each act", () => {
  let register: StartedRegister;
  let page: Page;

  beforeAll(async () => {
    register = await startRegister(60);
    page = await Page.open({ before: LISTEN });
    await shareSession(page, register.client, register.address);
  });
  afterEach(() => {
    // The browser's own, about what the server refused.
    const complaints = page.complaints.splice(0);
    expect(complaints.filter((each) => !/status of 4/.test(each))).toEqual([]);
  });
  afterAll(async () => {
    await page.close();
    await register[Symbol.asyncDispose]();
  });

  async function enter(path: string) {
    await page.goto(register.address + path);
    await page.until(`document.querySelector("main h1") && !document.querySelector("main .skeleton")
      && window.asked === 0`);
  }

  /** Presses buttons by their names, or a key of one letter, and expects what is said of it. */
  const press = (names: string | string[], words: readonly unknown[], until?: string) =>
    expectHeard(
      page,
      async () => {
        for (const name of [names].flat())
          await (name.length === 1 ? page.view.press(name) : page.press(name));
      },
      words,
      until,
    );
  const fill = (label: string, text: string, words: readonly string[]) =>
    expectHeard(page, () => page.fill(label, text), words);

  /** Waits until the focus is on what is read out so. */
  async function isAt(place: string) {
    let at: string | undefined;
    const end = Date.now() + 40_000;
    while (Date.now() < end && at !== place) at = await focused(page);
    expect(at).toBe(place);
  }
  /** Waits until this has been said since the last step. */
  async function says(words: string) {
    await page.until(`window.said.includes(${JSON.stringify(words)})`);
    await page.evaluate("void (window.said.length = 0)");
  }
  /** Presses Tab until the focus is on what is read out so. */
  async function tabTo(place: string) {
    const passed: string[] = [];
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await page.view.press("Tab");
      const at = await focused(page);
      if (at === place) return;
      passed.push(at ?? "");
    }
    throw new Error(`Passed ${passed.join(", ")}, but not ${place}.`);
  }

  test("by keys and by ear alone: a person signs in and decides the first row of home", async () => {
    await page.dropCookies(register.address);
    await page.goto(`${register.address}/home`);
    await isAt("textbox E-mail address");
    await page.view.type(OWNER.email);
    await tabTo("textbox Password");
    await page.view.type(OWNER.password);
    await page.view.press("Enter");
    await page.until("document.querySelector('.job')");
    expect(await focused(page)).toEndWith("need you this week");
    for (const key of ["j", "k"]) {
      await page.view.press(key);
      await isAt("link παράδειγμα.δοκιμή");
      await press("y", [`παράδειγμα.δοκιμή: Keep. ${UNDO}`]);
      // The next one, which the next key is for.
      await isAt(`link ${ODD_NAMES[6][0]}`);
      await press("z", ["Change undone for 1 domain. Redo Dismiss"]);
      await page.until("document.querySelector('.job a').innerText === 'παράδειγμα.δοκιμή'");
    }
  });

  test("by keys and by ear alone: a person finds a domain and changes its date in the panel", async () => {
    await enter("/domains");
    await page.until("document.querySelector('tbody a')");
    await page.view.press("/");
    await isAt("searchbox Search domains");
    await page.view.type("name-00033");
    await says("1 domain found");
    await page.view.press("ArrowDown");
    await isAt("link name-00033.example");
    await page.view.press("Enter");
    await isAt("heading name-00033.example");
    await page.until("document.querySelector('.domain-panel .answer')");
    await tabTo("button Edit");
    await page.view.press("Enter");
    await isAt("textbox Domain name");
    await tabTo("textbox Expiry date");
    await page.view.press("a", { modifiers: ["Control"] });
    await page.view.type("2031-05-05");
    await page.view.press("Enter");
    await says("Saved name-00033.example. Press z to undo. Undo Dismiss");
    await isAt("button Edit");
  });

  test("by keys and by ear alone: a person imports a list and undoes it", async () => {
    await enter("/domains/import");
    await page.until("document.querySelector('textarea')");
    await tabTo("textbox Or paste domains");
    await page.view.type("one.example");
    await tabTo("button Continue");
    await page.view.press("Enter");
    await isAt("heading Check the columns");
    await tabTo("button Preview");
    await page.view.press("Enter");
    await isAt("heading Review changes");
    await tabTo("button Import 1 domain");
    await page.view.press("Enter");
    await isAt("heading Import complete");
    await page.until("window.said.includes('Importing 1 domain…')");
    await says("1 domain added.");
    await tabTo("button Undo this import");
    await page.view.press("Enter");
    await isAt("button Cancel");
    await tabTo("button Undo import");
    await page.view.press("Enter");
    await isAt("heading Import undone");
    await says("1 domain removed.");
  });

  test("the list: search, order, selection, change, undo, redo, deletion", async () => {
    await enter("/domains?sort=name");
    await fill("Search domains", "nothing", ["0 domains found"]);
    await fill("Search domains", "name-0001", ["10 domains found"]);
    await press("Domain ▴", ["Sorted by Domain, descending.", "10 domains found"]);
    await enter("/domains?sort=name&q=name-0001");
    for (const row of [1, 2]) {
      const words = [`${row} domain${row > 1 ? "s" : ""} selected`];
      await expectHeard(page, () => page.view.click(`#row-${row} input`), words);
    }
    await press("Drop", [`2 domains marked Drop. ${UNDO}`]);
    await press("z", ["Change undone for 2 domains. Redo Dismiss"]);
    await press("Redo", [`Change redone for 2 domains. ${UNDO}`]);
    const archive = ["Actions for name-00013.example", "Archive"];
    await press(archive, [`name-00013.example archived. ${UNDO}`, "9 domains found"]);
    // The row is gone, and its place stays.
    expect(await page.evaluate("document.activeElement.innerText")).toBe("name-00014.example");
    await press(["Actions for name-00015.example", "Delete"], []);
    await press("Delete", [`Deleted name-00015.example. ${UNDO}`, "8 domains found"]);
  });

  test("the form of a domain: a fault is heard with its field, which has the focus", async () => {
    await enter("/domains?sort=name&q=name-0002");
    await press(["Actions for name-00026.example", "Edit"], []);
    for (const [name, why] of [
      ["no name", "That isn’t a valid domain."],
      ["name-00027.example", "You already have this domain."],
    ] as const) {
      await page.fill("Domain name", name);
      await press("Save", [], "document.activeElement.matches('[aria-invalid=true]')");
      const id = await page.evaluate<string>(
        "document.activeElement.getAttribute('aria-describedby')",
      );
      expect(await page.evaluate<string>(`document.getElementById("${id}").innerText`)).toStartWith(
        why,
      );
    }
    await press("Cancel", ["Discard your changes? Keep editing Discard"]);
    await press("Discard", []);
  });

  test("a domain's page: what was saved, not only that something was", async () => {
    const name = "name-00043.example";
    await enter(`/domains/${name}`);
    await expectAccessible(page);
    await press(
      [`More for ${name}`, "Drop"],
      [`${name}: Drop. ${UNDO}`],
      "document.body.innerText.includes('by ada@example.com')",
    );
    await press([`More for ${name}`, "Archive"], [`${name} archived. ${UNDO}`]);
    await press("Bring back", [`${name} is back. ${UNDO}`]);
  });

  test("the bin and the changes", async () => {
    await enter("/domains?sort=name&q=name-0003");
    for (const row of [1, 2]) await page.view.click(`#row-${row} input`);
    // What they cost comes later, and moves the buttons.
    await page.shows("/year");
    await press(["More", "Delete…"], []);
    await press("Delete 2 domains", [`2 domains deleted. ${UNDO}`, "8 domains found"]);
    await enter("/domains/bin");
    await expectAccessible(page);
    await press("Restore name-00031.example", [`Restored name-00031.example. ${UNDO}`]);
    await enter("/changes");
    await fill("Text", "name-00050", ["Loading…", "1 change"]);
    await fill("Text", "nothing", ["Loading…", "No changes match these filters."]);
  });

  test("settings: a save twice, and a secret, heard with its box alone", async () => {
    await enter("/settings");
    for (const days of ["30", "31"]) {
      await page.fill("Lead time (days)", days);
      await press("Save", ["Settings saved. Dismiss"]);
    }
    await enter("/settings/people");
    await press(
      ["Invite someone", "Create invitation link"],
      [],
      "document.activeElement.readOnly",
    );
    await press("Copy", [expect.stringMatching(/^(Copied\.|Press Ctrl\+C)/)]);
    await press("Done", []);
    const invitation = "the invitation for anyone with the link";
    await press([`Revoke ${invitation}`, "Revoke"], [`Revoked ${invitation}. Dismiss`]);
    await enter("/settings/reminders");
    await press("Calendar", []);
    await page.fill("Name", "Ours");
    await press("Add", [], "document.activeElement.readOnly");
    await press("Done", []);
    await press(["Delete Ours", "Delete"], ["Deleted Ours. Dismiss"]);
  });

  test("a refused sign-in", async () => {
    await page.dropCookies(register.address);
    await page.goto(`${register.address}/home`);
    await page.fill("E-mail address", OWNER.email);
    await page.fill("Password", "not the password");
    await press("Sign in", ["Wrong e-mail address or password."]);
    await shareSession(page, register.client, register.address);
  });
});
