import { Database } from "bun:sqlite";
import type { Page } from "./chromium.ts";

/** Widths at which a screen is looked at: from a small phone to a wide window, and each edge between. */
export const WIDTHS = [
  320, 360, 414, 600, 719, 720, 768, 820, 900, 1000, 1024, 1137, 1280, 1440, 1600, 1920,
] as const;

/** From this width a name, and so its row, is one line. */
const ONE_LINE_FROM = 600;

interface LookOptions {
  /** High enough for all rows: what lies below the window cannot be seen to be uncovered. */
  height?: number;
  widths?: readonly number[];
}

/**
 * What a person would find wrong with the screen that a page shows, by its text boxes, at each width:
 * the page is wider than its window, a name is broken, cut or covered, rows of one list differ in
 * height, two buttons are filled, a text has a size or a weight of its own. Empty if nothing is.
 *
 * A name is a text in `<main>` that ends in one of `endings` and has no blank.
 */
export async function faultsOf(
  page: Page,
  endings: readonly string[],
  { height = 900, widths = WIDTHS }: LookOptions = {},
): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.view.resize(width, height);
    const found = await page.evaluate<string[]>(
      `(${READ})(${JSON.stringify(endings)}, ${width >= ONE_LINE_FROM})`,
    );
    faults.push(...found.map((fault) => `${width}: ${fault}`));
  }
  return faults;
}

/** Reads the page once it has been laid out at its new width. */
const READ = `async (endings, isOneLine) => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  const faults = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    faults.add("the page is " + root.scrollWidth + " px wide in a window of " + root.clientWidth);

  const isShown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const main = document.querySelector("main");
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.data.trim();
    const element = node.parentElement;
    if (text === "" || element.closest("svg, script, style, template, .unseen, option")) continue;
    if (!isShown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
    if (boxes.length > 0) texts.push({ text, element, boxes });
  }

  for (const { text, element } of texts) {
    const { fontSize, fontWeight } = getComputedStyle(element);
    if (![12, 13, 14, 18, 28].includes(parseFloat(fontSize))) faults.add(fontSize + ": " + text);
    if (!["400", "500", "600"].includes(fontWeight)) faults.add("weight " + fontWeight + ": " + text);
  }

  /* The part of a box that no ancestor cuts off. */
  const clipped = (element, box) => {
    let { left, right, top, bottom } = box;
    for (let e = element; e && e !== document.body; e = e.parentElement) {
      const { overflowX, overflowY, display } = getComputedStyle(e);
      if (display === "inline") continue;
      const edge = e.getBoundingClientRect();
      if (overflowX !== "visible") [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      if (overflowY !== "visible") [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, right, top, bottom };
  };
  const lists = new Map();
  let names = 0;
  for (const { text, element, boxes } of texts) {
    if (/[\\s@]/.test(text) || !main.contains(element)) continue;
    /* The ASCII form stands beside its name. */
    if (text.startsWith("xn--") || !endings.some((ending) => text.endsWith(ending))) continue;
    names += 1;
    const tops = new Set(boxes.map(({ top }) => Math.round(top)));
    if (isOneLine && tops.size > 1) faults.add("in " + tops.size + " lines: " + text);
    for (const box of boxes) {
      const seen = clipped(element, box);
      const lost = Math.max(seen.left - box.left, box.right - seen.right, box.right - root.clientWidth, -box.left);
      if (lost > 1) faults.add("cut by " + Math.round(lost) + " px: " + text);
      const middle = (box.top + box.bottom) / 2;
      if (middle < 0 || middle > innerHeight) continue;
      for (const part of [0.02, 0.25, 0.5, 0.75, 0.98]) {
        const hit = document.elementFromPoint(box.left + box.width * part, middle);
        if (!hit || hit.contains(element) || element.contains(hit)) continue;
        /* A link over the whole row shows what is below it. */
        if (hit.closest("li, tr") === element.closest("li, tr") && hit.innerText.trim() === "") continue;
        faults.add("covered by " + hit.localName + "." + hit.className + ": " + text);
      }
    }
    const row = element.closest("li, tr");
    /* On a card, a name or what to do goes on in a second line where it is longer. */
    const todo = document.createRange();
    if (row?.querySelector(".todo")) todo.selectNodeContents(row.querySelector(".todo"));
    const isLonger = new Set([...todo.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    if (!row || isLonger || tops.size > 1) continue;
    const heights = lists.get(row.parentElement) ?? new Set();
    lists.set(row.parentElement, heights.add(Math.round(row.getBoundingClientRect().height)));
  }
  if (names === 0) faults.add("shows no name");
  for (const heights of lists.values())
    if (heights.size > 1) faults.add("rows of " + [...heights].join(" and ") + " px");

  const probe = main.appendChild(document.createElement("i"));
  probe.style.background = "var(--color-fill)";
  const fill = getComputedStyle(probe).backgroundColor;
  probe.remove();
  /* What lies outside of the window, such as the link to skip the navigation, is not seen. */
  const filled = [...document.querySelectorAll("a, button")].filter((e) => {
    if (!isShown(e) || getComputedStyle(e).backgroundColor !== fill) return false;
    const { left, top, width, height } = e.getBoundingClientRect();
    return e.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  if (filled.length > 1)
    faults.add(filled.length + " filled buttons: " + filled.map((e) => e.innerText).join(", "));
  return [...faults];
}`;

/** The meaning of the registrar's status, by the last digit of a row's number. */
const STATUSES: Readonly<Record<number, string>> = { 4: "on-hold", 7: "cancelled" };

/** Endings of the names of a register that `fillLook` has filled. */
export const LOOK_ENDINGS = [".example", ".com", ".測試", ".إختبار", ".δοκιμή"] as const;

/**
 * Gives a seeded register of SQLite (`seedRegister`) what makes rows hard to read: longer names, second
 * dates, holds and cancellations, long owners, prices of seven digits. The name of 253 letters goes,
 * which fits into no window.
 */
export function fillLook(file: string): void {
  using database = new Database(file);
  database.run("pragma busy_timeout = 5000");
  database.run("delete from domains where length(name) > 200");
  type Row = { id: string; name: string; expires: string | null };
  const rows = database
    .query<Row, []>("select id, name, expires_on as expires from domains order by name")
    .all();
  const set = database.query(
    `update domains set name = ?2, unicode = case when ?2 = name then unicode else ?2 end, owner = ?3,
      owner_key = lower(?3), words = ?2 || ' ' || lower(?3) || ' ' || words, status = ?4,
      status_key = ?4, renewal_minor = ?5 where id = ?1`,
  );
  const dispute = database.query("update domains set expires_conflict = 1 where id = ?");
  const say = database.query(
    `insert into observations (id, domain_id, kind, source, value, observed_at)
      values (?, ?, 'expires', 'GoDaddy', ?, '2025-01-01T00:00:00.000Z')`,
  );
  database.transaction(() => {
    for (const [at, { id, name, expires }] of rows.entries()) {
      const long = name.startsWith("name-") && at % 3 === 0 ? `northwind-${name}` : name;
      const owner = at % 5 === 0 ? "Northwind Versicherungen Verwaltungsgesellschaft mbH" : "Acme";
      set.run(id, long, owner, STATUSES[at % 10] ?? null, at % 4 === 0 ? 123_456_789 : 1450);
      if (expires === null || at % 9 !== 2) continue;
      dispute.run(id);
      say.run(Bun.randomUUIDv7(), id, `${Number(expires.slice(0, 4)) + 1}${expires.slice(4)}`);
    }
  })();
}

/** What WCAG 1.4.12 lets a person set. */
const SPACING =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }";

/** Gives a page that space, until it is left. */
export async function spaceOut(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(SPACING)});
    document.adoptedStyleSheets = [sheet];
  })()`);
}
