import type { Page } from "./chromium.ts";

const OPEN = `
  const opening = indexedDB.open("kept-files", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("kept-files");
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const database = opening.result;
  const work = database.transaction("kept-files", "readwrite");
  const files = work.objectStore("kept-files");
  const done = new Promise((resolve) => (work.oncomplete = resolve));
  database.close();`;

/** How many files the browser keeps for a page to come, and how many texts that speak of them. */
export function readKept(page: Page): Promise<{ files: number; texts: number }> {
  return page.evaluate(`(async () => {
    const keys = Object.keys({ ...sessionStorage, ...localStorage });
    ${OPEN}
    const count = files.count();
    await done;
    return { files: count.result, texts: keys.filter((key) => /import|kept/.test(key)).length };
  })()`);
}

/** Leaves a file as a tab does that was closed while it reloaded. @param until When it is too old. */
export async function leaveFile(page: Page, until: number): Promise<void> {
  await page.evaluate(`(async () => {
    ${OPEN}
    files.put({ person: "ada@example.com", name: "left.csv", type: "", bytes: new ArrayBuffer(1) }, "a tab");
    await done;
    localStorage.setItem("kept-files", "${until}");
  })()`);
}
