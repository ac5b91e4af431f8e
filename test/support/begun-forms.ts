import type { Page } from "./chromium.ts";

/** A form that is half filled in: what has to be in it again after a reload. */
export interface BegunForm {
  path: string;
  begin(page: Page): Promise<void>;
  /** A selector of the controls. */
  control: string;
  values: string[];
}

const who = "select[aria-label='Import Who as']";

/**
 * Every form that can be half filled in, for a register that holds `one.example`.
 *
 * @param begun The id of an import with the columns `Site` and `Who`, not committed.
 */
export function begunForms(begun: string): BegunForm[] {
  return [
    {
      path: "/domains?add",
      begin: (page) => page.fill("Domain name", "half-typed.example"),
      control: "dialog[open] [name=name]",
      values: ["half-typed.example"],
    },
    {
      path: "/domains/one.example",
      async begin(page) {
        await page.press("Edit");
        await page.fill("Notes", "half a note");
      },
      control: "dialog[open] [name=notes]",
      values: ["half a note"],
    },
    {
      path: "/domains",
      async begin(page) {
        // The form that was begun before.
        await page.press("Cancel");
        await page.press("Discard it");
        await page.view.click("[aria-label='Select one.example']");
        await page.press("Edit selected");
        await page.fill("Owner", "Gra");
      },
      control: "dialog[open] [name=owner]",
      values: ["Gra"],
    },
    {
      path: `/domains/import?id=${begun}`,
      async begin(page) {
        await page.until(`document.querySelector("${who}")`);
        await page.evaluate(`(() => {
          const choice = document.querySelector("${who}");
          choice.value = "notes";
          choice.dispatchEvent(new Event("change", { bubbles: true }));
        })()`);
        await page.shows("The server answered with the error 503.");
        await page.press("Defaults for empty fields");
        await page.fill("Account", "half an acc");
      },
      control: `${who}, .import-defaults input`,
      values: ["notes", "half an acc"],
    },
  ];
}
