import { act, render, screen } from "@testing-library/react";
import { describe, expect, setSystemTime, spyOn, test } from "bun:test";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { useSearch } from "wouter";
import { BrandContext } from "../../../src/client/shell/location-router.tsx";
import { Layout } from "../../../src/client/shell/layout.tsx";

const branded = (brand: string) => (
  <BrandContext value={brand}>
    <Layout>{null}</Layout>
  </BrandContext>
);

describe("the footer of Layout", () => {
  test("takes over markup that was rendered in another year without an error", async () => {
    setSystemTime(new Date(2026, 5, 1));
    const root = document.createElement("div");
    root.innerHTML = renderToString(branded("Acme"));
    document.body.append(root);
    setSystemTime(new Date(2027, 0, 1));
    const errors: unknown[] = [];
    const mounted = await act(async () =>
      hydrateRoot(root, branded("Acme"), { onRecoverableError: (error) => errors.push(error) }),
    );
    setSystemTime();
    expect(errors).toEqual([]);
    expect(root.querySelector("footer")?.textContent).toBe("© 2027 Acme - All rights reserved.");
    await act(async () => mounted.unmount());
    root.remove();
  });
});

function List() {
  if (useSearch() !== "") throw new Error("The panel could not be shown");
  return <h1>List</h1>;
}

test("a panel that fails is left as it was opened, by the query alone", async () => {
  const log = spyOn(console, "error").mockImplementation(() => undefined);
  history.replaceState(null, "", "/domains");
  render(
    <Layout>
      <List />
    </Layout>,
  );
  await act(async () => history.pushState(null, "", "?open=a.example"));
  expect(screen.getByRole("alert").textContent).toContain("could not be loaded");
  await act(async () => history.replaceState(null, "", "/domains"));
  expect(screen.getByRole("heading").textContent).toBe("List");
  log.mockRestore();
});
