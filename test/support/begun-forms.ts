import type { Page } from "./chromium.ts";

/** A form that is half filled in: what has to be in it again after a reload. */
export interface BegunForm {
  path: string;
  begin(page: Page): Promise<void>;
  /** A selector of the controls. */
  control: string;
  values: string[];
}

/** The forms of the list and of a domain, for a register that holds `one.example`. */
export const begunForms: BegunForm[] = [
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
];
