import { expect } from "bun:test";
import type { Tab } from "./tab.ts";

/**
 * Writes down what a screen reader says by itself in every document of a tab: what comes into a live
 * region, or the whole region where its role says so; under a modal dialog, only what is in it. Counts
 * the requests that are on their way, so that a test can wait for all that is said of an act.
 */
export const LISTEN = `(() => {
  const said = (window.said = []);
  window.asked = 0;
  const ask = window.fetch;
  window.fetch = (input, ...more) => {
    // What others changed is asked for by itself, whenever its time has come.
    if (String(input.url ?? input).includes("/api/news")) return ask(input, ...more);
    window.asked += 1;
    return ask(input, ...more).finally(() => (window.asked -= 1));
  };
  const WHOLE = "output, [role=status], [role=alert], [aria-atomic=true]";
  const LIVE = WHOLE + ", [aria-live=polite], [aria-live=assertive], [role=log]";
  const words = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.ariaHidden === "true" || !node.checkVisibility()) return "";
    const inside = node.ariaLabel ?? [...node.childNodes].map(words).join("");
    return getComputedStyle(node).display.startsWith("inline") && node.localName !== "button" ? inside : " " + inside + " ";
  };
  const say = (region, nodes) => {
    const dialog = document.querySelector("dialog:modal");
    if (!region.isConnected || (dialog && !dialog.contains(region))) return;
    const text = nodes.map(words).join(" ").replace(/\\s+/g, " ").trim();
    if (text) said.push(text);
  };
  new MutationObserver((changes) => {
    const whole = new Set();
    for (const { type, target, addedNodes } of changes) {
      const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
      const region = element?.closest?.(LIVE);
      const nodes = type === "characterData" ? [target] : [...addedNodes];
      if (region?.matches(WHOLE)) whole.add(region);
      else if (region) say(region, nodes);
      else
        for (const node of nodes.filter((each) => each.nodeType === Node.ELEMENT_NODE))
          for (const alert of [node, ...node.querySelectorAll("*")].filter((each) => each.matches(LIVE)))
            whole.add(alert);
    }
    for (const region of whole) say(region, [region]);
  }).observe(document, { childList: true, characterData: true, subtree: true });
})()`;

/** Expects that an act is followed by these words and no others, once all that it asked for has come. */
export async function expectHeard(
  tab: Tab,
  act: () => Promise<unknown>,
  words: readonly unknown[],
  until = "true",
): Promise<void> {
  await tab.evaluate("void (window.said.length = 0)");
  await act();
  await tab.until(`window.said.length >= ${words.length} && window.asked === 0 && (${until})`);
  await tab.evaluate(`(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  })()`);
  await tab.until("window.asked === 0");
  expect(await tab.evaluate<unknown[]>("window.said")).toEqual([...words]);
}
