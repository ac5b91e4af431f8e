import { expect } from "bun:test";
import type { ApiClient } from "./api-client.ts";

interface Page<Item> {
  items: Item[];
  next: string | null;
  total?: number;
}

/** The items of every page of a list, of which all but the last are full and which add up. */
export async function readPages<Item>(client: ApiClient, path: string): Promise<Item[]> {
  const pages: Page<Item>[] = [];
  for (let after: string | null = ""; after !== null;) {
    const response = await client.request(`${path}${path.includes("?") ? "&" : "?"}after=${after}`);
    expect([path, response.status]).toEqual([path, 200]);
    const page: Page<Item> = await response.json();
    pages.push(page);
    after = page.next;
  }
  const items = pages.flatMap((page) => page.items);
  const full = pages.slice(0, -1).map((page) => page.items.length);
  expect([path, new Set(full).size <= 1]).toEqual([path, true]);
  expect(pages.at(-1)?.total ?? items.length).toBe(items.length);
  return items;
}
