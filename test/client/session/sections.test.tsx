import { act, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import { createElement } from "react";
import { App, createAreas } from "../../../src/client/app.tsx";
import { areas } from "../../../src/client/areas.ts";
import { Sections } from "../../../src/client/session/sections.tsx";
import { refreshSession } from "../../../src/client/session/session-store.ts";
import { lazyCode } from "../../../src/client/ui/lazy-code.ts";
import { expectAbsent, press, textsOf, type } from "../../support/elements.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi();
const ada = { state: "signed-in", email: "ada@example.com", role: "owner" } as const;
const blank = lazyCode(async () => ({ default: () => createElement("h1", null, "Screen") }));
const screens = Object.fromEntries(Object.keys(createAreas(areas)).map((name) => [name, blank]));

async function open(path: string) {
  history.replaceState(null, "", path);
  const all = { ...createAreas(areas), ...screens };
  await act(async () => render(<App path={path} brand="Acre" areas={all} />));
}

const line = () => screen.getByRole("navigation", { name: "Sections" });

describe("Sections", () => {
  beforeEach(() => api.enter(ada));

  test("keep their place in the markup of the server, with nothing to press", () => {
    expect(renderToString(<Sections />)).toBe('<div class="sections"></div>');
  });

  test.each([
    ["/home", "Home", "page"],
    ["/domains/one.example", "Domains", "true"],
    ["/registrars/accounts/1", "Registrars", "true"],
    ["/settings/reminders", "Reminders", "page"],
    ["/settings/people", "Settings", "true"],
  ])("of %s are led by %s", async (path, name, current) => {
    await open(path);
    const links = within(line()).getAllByRole("link");
    expect(textsOf(links).join(" ")).toBe(
      "Home Domains Costs Registrars Checks Reminders Settings",
    );
    const marked = links.filter((link) => link.getAttribute("aria-current") !== "false");
    expect(textsOf(marked)).toEqual([name]);
    expect(marked[0]?.getAttribute("aria-current")).toBe(current);
    // Where they have no room, one button says where you are.
    expect(within(line()).getByRole("button").textContent).toBe(name);
  });

  test("hold the person's menu", async () => {
    await open("/home");
    press("Signed in as ada@example.com");
    await screen.findByText("ada@example.com (owner)");
    screen.getByRole("link", { name: "Account and security" });
    screen.getByRole("link", { name: "People" });
    type("Theme", "dark");
    expect(document.documentElement.dataset["theme"]).toBe("dark");
    type("Theme", "system");
    press("Sign out");
    await screen.findByRole("heading", { name: "Screen" });
    await waitFor(() => expect(api.sent("DELETE /api/token")).toHaveLength(1));
  });

  test("are away while a form asks who is there", async () => {
    await open("/home");
    api.session = { state: "signed-out" };
    await act(() => refreshSession());
    expectAbsent(screen.queryByRole("navigation", { name: "Sections" }));
  });
});
