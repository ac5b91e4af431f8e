import type { Page } from "./chromium.ts";

/** What the DevTools protocol says of a node: Accessibility.AXNode. */
interface AxNode {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  properties?: { name: string; value: { value?: unknown } }[];
  childIds?: string[];
}

/** What assistive technology is told of one node. */
interface Heard {
  role: string;
  name: string;
  description: string;
  properties: Readonly<Record<string, unknown>>;
  below: Heard[];
}

/** Every node that assistive technology is told of, in the order in which it is read. */
async function readTree(page: Page): Promise<Heard[]> {
  const { nodes } = await page.view.cdp<{ nodes: AxNode[] }>("Accessibility.getFullAXTree", {});
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const walk = (node: AxNode | undefined): Heard[] => {
    if (!node) return [];
    const below = (node.childIds ?? []).flatMap((id) => walk(byId.get(id)));
    if (node.ignored) return below;
    const { role, name, description, properties = [] } = node;
    const own = {
      role: role?.value ?? "",
      name: name?.value.trim() ?? "",
      description: description?.value ?? "",
      properties: Object.fromEntries(properties.map((each) => [each.name, each.value.value])),
      below,
    };
    return [own, ...below];
  };
  return walk(nodes[0]);
}

const PRESSABLE = new Set(
  "button link textbox searchbox combobox checkbox radio switch tab option menuitem spinbutton DisclosureTriangle".split(
    " ",
  ),
);
const LANDMARKS = new Set(
  "banner navigation main contentinfo complementary region search".split(" "),
);
/** They say nothing without a name: of what is this a table, where does this dialog come from? */
const NAMED = new Set("navigation region complementary table dialog radiogroup".split(" "));

const FIELDS = new Set("textbox searchbox combobox checkbox radio spinbutton".split(" "));

const inWords = ({ role, name }: Heard) => `${role} “${name}”`;

/**
 * What a person who hears the page would find wrong with it: something without a name, said twice, run
 * together, two landmarks that sound alike, headings that skip a level. Empty if nothing is.
 */
export async function faultsHeard(page: Page): Promise<string[]> {
  const tree = await readTree(page);
  const faults: string[] = [];
  const seen = new Set<string>();
  const isDialog = tree.some(({ properties }) => properties["modal"] === true);
  const headings = tree.filter(({ role }) => role === "heading");
  const levels = headings.map(({ properties }) => Number(properties["level"]));

  const titles = levels.filter((level) => level === 1).length;
  if (titles !== (isDialog ? 0 : 1)) faults.push(`${titles} headings of the page`);
  for (const [at, level] of levels.entries())
    if (level > (levels[at - 1] ?? (isDialog ? 1 : 0)) + 1)
      faults.push(`h${level} after h${levels[at - 1] ?? 0}: ${headings[at]?.name}`);
  for (const role of isDialog ? [] : ["main", "contentinfo"])
    if (tree.filter((each) => each.role === role).length !== 1) faults.push(`not one ${role}`);

  for (const each of tree) {
    const { role, name, description, below, properties } = each;
    const isPressable = PRESSABLE.has(role);
    if (name === "" && (isPressable || NAMED.has(role))) faults.push(`${role} without a name`);
    if (isPressable && description !== "" && name.includes(description))
      faults.push(`said twice: ${inWords(each)}`);
    if (role === "heading" && below.some((inner) => inner.role === "button"))
      faults.push(`a button in a heading: ${inWords(each)}`);
    const isQuestion =
      properties["modal"] === true && !below.some((inner) => FIELDS.has(inner.role));
    if (isQuestion && description === "" && below.some((inner) => inner.role === "paragraph"))
      faults.push(`asks without saying of what: ${inWords(each)}`);
    if (properties["invalid"] === "true" && description === "")
      faults.push(`wrong, without why: ${inWords(each)}`);
    const link = below.find((inner) => inner.role === "link");
    const after = link && name.slice(name.indexOf(link.name) + link.name.length);
    if (role === "rowheader" && after && /^[\p{L}\p{N}]/u.test(after))
      faults.push(`run together: ${inWords(each)}`);
    if (LANDMARKS.has(role)) {
      if (seen.has(inWords(each))) faults.push(`two of ${inWords(each)}`);
      seen.add(inWords(each));
    }
  }
  const rows = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll("[aria-rowcount]")].flatMap((table) => {
    const count = Number(table.ariaRowCount);
    const rows = [...table.rows].filter((row) => row.checkVisibility());
    const told = rows.map((row) => Number(row.ariaRowIndex)).filter(Boolean);
    const isRising = told.every((index, at) => at === 0 || index > told[at - 1]);
    return told.length > 1 && isRising && told.at(-1) <= count ? [] : ["rows " + told + " of " + count];
  })`);
  return [...faults, ...rows];
}

/** What is read out for the place where the focus is. */
export async function focused(page: Page): Promise<string | undefined> {
  const { result } = await page.view.cdp<{ result: { objectId: string } }>("Runtime.evaluate", {
    expression: "document.activeElement",
  });
  // Of one node: a step needs no whole tree.
  const how = { objectId: result.objectId, fetchRelatives: false };
  const { nodes } = await page.view.cdp<{ nodes: AxNode[] }>("Accessibility.getPartialAXTree", how);
  const [node] = nodes;
  return node?.role && `${node.role.value} ${node.name?.value ?? ""}`.trim();
}
