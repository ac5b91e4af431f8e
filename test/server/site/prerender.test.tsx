import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { useLocation } from "wouter";
import { prerenderScreen } from "../../../src/server/site/prerender.tsx";

const Where = () => <p>At {useLocation()[0]}</p>;

describe("prerenderScreen", () => {
  test("renders a screen with its title, heading and name, complete without a script", async () => {
    const { title, markup } = await prerenderScreen("/domains", "Acme");
    expect(title).toBe("Domains · Acme");
    expect(markup).toContain(">Domains</h1>");
    expect(markup).toContain("Acme<!-- --> - All rights reserved.");
    expect(markup).not.toContain("<script");
    expect(markup).not.toContain("style=");
  });

  test("leaves nothing behind for what is rendered next in the same process", async () => {
    await prerenderScreen("/domains", "Acme");
    history.replaceState(null, "", "/elsewhere");
    render(<Where />);
    expect(screen.getByText("At /elsewhere")).toBeDefined();
  });
});
