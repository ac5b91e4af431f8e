import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import type { Domain } from "../../../../src/shared/domain.ts";
import Domains from "../../../../src/client/domains/list/list.tsx";
import { NotificationList } from "../../../../src/client/shell/notification-list.tsx";
import { clearNotifications } from "../../../../src/client/ui/notifications.ts";
import { type ApiCall, domainOf, fakeApi, pageOf, problem } from "../../../support/fake-api.ts";

const api = fakeApi();
const one = domainOf("one.example");

beforeEach(async () => {
  await api.enter({ state: "signed-in", email: "ada@example.com" });
  act(clearNotifications);
});

/** Answers with rows, and a change of a domain with what `saved` says. */
function holds(rows: Domain[], saved = ({ path }: ApiCall) => problem(404, path)) {
  api.answer = (call) => {
    if (call.path === "/api/domains" && call.method === "GET") return pageOf(rows);
    return call.method === "PATCH" ? saved(call) : problem(404, "Nothing here.");
  };
}

async function open(rows: Domain[]) {
  history.replaceState(null, "", "/domains");
  holds(rows);
  render(
    <>
      <Domains />
      <NotificationList />
    </>,
  );
  await screen.findByRole("link", { name: rows[0]?.name ?? "" });
}

/** The open menu of a row. */
function openMenu(name: string) {
  const button = screen.getByRole("button", { name: `Actions for ${name}` });
  fireEvent.click(button);
  return within(button.parentElement ?? document.body);
}

/** Somebody has changed the register: the list loads again. */
const reload = () => act(() => void document.dispatchEvent(new Event("visibilitychange")));
const decide = ({ path }: ApiCall) =>
  Response.json({ ...one, id: path.slice("/api/domains/".length), version: 2, operation: "op" });

describe("the actions of a row", () => {
  test("stay with the domain, and the version of it, for which the menu was opened", async () => {
    await open([one]);
    const menu = openMenu("one.example");
    holds([domainOf("new.example"), { ...one, version: 7 }], decide);
    reload();
    await screen.findByRole("link", { name: "new.example" });
    fireEvent.click(menu.getByRole("button", { name: "Drop" }));
    await screen.findByText(/one\.example/, { selector: ".notification-list p" });
    const changes = api.calls.filter(({ method }) => method !== "GET");
    expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PATCH /api/domains/id-one.example",
    ]);
    expect(changes[0]?.body).toEqual({ decision: "drop" });
    expect(changes[0]?.headers.get("if-match")).toBe('"1"');
  });
});
