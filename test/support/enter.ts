import type { Tab } from "./tab.ts";

/**
 * Goes to a path of an address, within the page where that is loaded: a load costs more than most
 * screens. What comes next is waited for by the caller, and nothing of the screen before remains.
 */
export async function enter(tab: Tab, address: string, path: string): Promise<void> {
  if (!(await tab.evaluate<boolean>(`location.origin === ${JSON.stringify(address)}`)))
    return tab.goto(address + path);
  // By way of a screen that has nothing to wait for.
  await tab.evaluate(`(() => {
    for (const button of document.querySelectorAll("[aria-label=Dismiss]")) button.click();
    history.pushState(null, "", "/nowhere");
  })()`);
  await tab.until("document.querySelector('h1')?.textContent === 'Page not found'");
  if (path === "/nowhere") return;
  await tab.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  // It stays until the next one is there.
  await tab.until("document.querySelector('h1')?.textContent !== 'Page not found'");
}
