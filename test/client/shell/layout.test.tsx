import { act, render, screen } from "@testing-library/react";
import { describe, expect, setSystemTime, test } from "bun:test";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { BrandContext } from "../../../src/client/shell/location-router.tsx";
import { Layout } from "../../../src/client/shell/layout.tsx";

const branded = (brand: string) => (
  <BrandContext value={brand}>
    <Layout>{null}</Layout>
  </BrandContext>
);

describe("the footer of Layout", () => {
  test("says the year of the device and the brand, to the letter", () => {
    setSystemTime(new Date(2031, 5, 1));
    render(branded("Acme"));
    setSystemTime();
    expect(screen.getByRole("contentinfo").textContent).toBe("© 2031 Acme - All rights reserved.");
  });

  test("takes over markup that was rendered in another year without an error", async () => {
    setSystemTime(new Date(2026, 5, 1));
    const root = document.createElement("div");
    root.innerHTML = renderToString(branded("Freehold"));
    document.body.append(root);
    setSystemTime(new Date(2027, 0, 1));
    const errors: unknown[] = [];
    const mounted = await act(async () =>
      hydrateRoot(root, branded("Freehold"), { onRecoverableError: (error) => errors.push(error) }),
    );
    setSystemTime();
    expect(errors).toEqual([]);
    expect(root.querySelector("footer")?.textContent).toBe(
      "© 2027 Freehold - All rights reserved.",
    );
    await act(async () => mounted.unmount());
    root.remove();
  });
});
