import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, mock, spyOn, test } from "bun:test";
import { Link, Route, Switch, useSearch } from "wouter";
import {
  BrandContext,
  LocationRouter,
  Redirect,
} from "../../../src/client/shell/location-router.tsx";
import { Layout } from "../../../src/client/shell/layout.tsx";
import { clearNotifications } from "../../../src/client/ui/notifications.ts";
import { addUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";

const preload = mock((_path: string) => undefined);
const titleOf = (path: string, brand: string) => `${path} · ${brand}`;

const Query = () => <p>Query: {useSearch()}</p>;

function Shell() {
  return (
    <BrandContext value="Acme">
      <LocationRouter path="/one" search="" titleOf={titleOf} preload={preload}>
        <Layout>
          <Switch>
            <Route path="/">
              <Redirect to="/one" />
            </Route>
            <Route path="/one">
              <h1 tabIndex={-1}>One</h1>
              <Link href="/two">To two</Link>
              <a href="https://elsewhere.test/x">Elsewhere</a>
              <Query />
            </Route>
            <Route path="/two">
              <h1 tabIndex={-1}>Two</h1>
            </Route>
          </Switch>
        </Layout>
      </LocationRouter>
    </BrandContext>
  );
}

beforeEach(() => {
  history.replaceState(null, "", "/one");
  preload.mockClear();
});

const follow = (name: string) =>
  act(async () => {
    fireEvent.click(screen.getByRole("link", { name }));
  });

describe("LocationRouter", () => {
  test("sets the title and leaves the focus alone on the first load", async () => {
    await act(async () => render(<Shell />));
    expect(document.title).toBe("/one · Acme");
    expect(document.activeElement).toBe(document.body);
  });

  test("restores the position of another view of the same screen, and leaves the focus", async () => {
    history.replaceState(null, "", "/one?view=long");
    await act(async () => render(<Shell />));
    scrollTo(0, 300);
    await act(async () => history.pushState(null, "", "/one?view=short"));
    scrollTo(0, 20);
    // What the browser does on back.
    await act(async () => {
      History.prototype.replaceState.call(history, null, "", "/one?view=long");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    expect(scrollY).toBe(300);
    expect(document.activeElement).toBe(document.body);
  });

  test("redirects again where somebody asks for the same address meanwhile", async () => {
    await act(async () => render(<Shell />));
    addEventListener("replaceState", () => history.pushState(null, "", "/"), { once: true });
    await act(async () => history.pushState(null, "", "/"));
    expect(location.pathname).toBe("/one");
    expect(screen.getByRole("heading").textContent).toBe("One");
  });

  test("says where a link leads when it is hovered, touched or focused, on this origin only", async () => {
    await act(async () => render(<Shell />));
    fireEvent.pointerOver(screen.getByText("To two"));
    fireEvent.touchStart(screen.getByText("To two"));
    act(() => screen.getByText("To two").focus());
    fireEvent.pointerOver(screen.getByText("Elsewhere"));
    fireEvent.pointerOver(screen.getByRole("heading"));
    expect(preload.mock.calls).toEqual([["/two"], ["/two"], ["/two"]]);
  });
});

describe("a newer version", () => {
  test("is loaded on navigation, but offered where that would lose unsaved changes", async () => {
    const mode = process.env.NODE_ENV ?? "test";
    process.env.NODE_ENV = "production";
    const gone = async () => new Response(null, { status: 404 });
    spyOn(globalThis, "fetch").mockImplementation(
      Object.assign(gone, { preconnect: () => undefined }),
    );
    const reload = spyOn(location, "reload").mockImplementation(() => undefined);
    const release = addUnsavedChanges();
    await act(async () => render(<Shell />));
    await follow("To two");
    screen.getByText("A new version is available.");
    expect(reload).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: "Reload" }));
    expect(reload).toHaveBeenCalledTimes(1);

    release();
    await act(async () => history.pushState(null, "", "/one"));
    expect(reload).toHaveBeenCalledTimes(2);
    expect(screen.queryByText("A new version is available.")).toBeNull();
    act(clearNotifications);
    process.env.NODE_ENV = mode;
    mock.restore();
  });
});
