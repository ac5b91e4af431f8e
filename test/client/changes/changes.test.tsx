import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "bun:test";
import { Router } from "wouter";
import Changes from "../../../src/client/changes/changes.tsx";
import { type } from "../../support/elements.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi();

test("Changes asks for what its boxes say, which the address keeps, and a link sets anew", async () => {
  await api.enter();
  history.replaceState(null, "", "/changes?person=p1&kind=nonsense");
  api.answer = ({ path }) =>
    Response.json({
      items: path === "/api/people/names" ? [{ id: "p1", name: "Ed" }] : [],
      next: null,
    });
  render(
    <Router>
      <Changes />
    </Router>,
  );
  const by = await screen.findByLabelText<HTMLSelectElement>("By");
  await screen.findByRole("option", { name: "Ed" });
  expect(by.value).toBe("p1");
  const text = screen.getByLabelText<HTMLInputElement>("Text");
  for (const value of ["a", "ac", "acme "]) fireEvent.change(text, { target: { value } });
  const asked = () => api.sent("GET /api/changes").map(({ query }) => String(query));
  await waitFor(() => expect(asked()).toEqual(["person=p1&after=", "q=acme&person=p1&after="]));
  // What is not typed does not wait.
  type("Kind", "decided");
  expect(location.search).toBe("?q=acme&person=p1&kind=decided");
  expect(asked()[2]).toBe("q=acme&person=p1&kind=decided&after=");
  act(() => history.pushState(null, "", "/changes?until=2026-11-01"));
  expect([text.value, by.value]).toEqual(["", ""]);
});
