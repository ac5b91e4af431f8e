import { type ReactNode, StrictMode, Suspense, useCallback } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Link, Route, Switch } from "wouter";
import type { areas as areaLoaders } from "./areas.ts";
import { pathOf } from "./base-path.ts";
import { screenAt, screens } from "./screens.ts";
import { applyPreferences, usePreferences } from "./ui/preferences.ts";
import { lazyCode, type LazyComponent } from "./ui/lazy-code.ts";
import { useStore } from "./ui/store.ts";
import { readBrand } from "./ui/page.ts";
import { BrandContext, LocationRouter, Redirect } from "./shell/location-router.tsx";
import { Layout } from "./shell/layout.tsx";
import { Sections } from "./session/sections.tsx";
import { useShortcutKeys } from "./register/shortcut-keys.ts";
import { lastUndoable, undoOperation } from "./register/undo.ts";
import { paletteOpen } from "./session/palette-state.ts";
import "./common.ts";

type Areas = Record<keyof typeof areaLoaders, LazyComponent<object>>;

export function createAreas(loaders: typeof areaLoaders): Areas {
  const lazy = Object.entries(loaders).map(([name, load]) => [name, lazyCode(load)]);
  // An object made of every entry of another has its keys.
  return Object.fromEntries(lazy) as Areas;
}

/** The document's title on a path: the screen's, or the parameter of its pattern. */
export function documentTitle(path: string, brand: string): string {
  const pattern = screenAt(path);
  if (pattern === undefined) return `Not found · ${brand}`;
  const title = pattern === path ? screens[pattern]?.title : readParameter(path);
  return `${title} · ${brand}`;
}

function readParameter(path: string): string {
  const written = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

interface AppProps {
  path: string;
  /** The query with its question mark; a prerendered page has none. */
  search?: string;
  brand: string;
  areas: Areas;
}

export function App({ path, search = "", brand, areas }: AppProps) {
  const preload = useCallback(
    (next: string) => {
      const screen = screens[screenAt(next) ?? ""];
      if (screen) areas[screen.area].preload();
    },
    [areas],
  );
  // A new format of dates or numbers renders everything again.
  usePreferences();
  useShortcutKeys((key) => {
    const last = lastUndoable();
    if (key === "z" && last) void undoOperation(last.operation);
  });
  const palette = useStore(paletteOpen) && <areas.palette />;
  return (
    <BrandContext value={brand}>
      <LocationRouter path={path} search={search} titleOf={documentTitle} preload={preload}>
        <Switch>
          {Object.entries(screens).map(([pattern, { area, redirect }]) => {
            const Area = areas[area];
            return (
              <Route key="screen" path={pattern}>
                <Frame redirect={redirect} palette={palette}>
                  <Area />
                </Frame>
              </Route>
            );
          })}
          <Route key="screen">
            <Frame palette={palette}>
              <NotFound />
            </Frame>
          </Route>
        </Switch>
      </LocationRouter>
    </BrandContext>
  );
}

function NotFound() {
  return (
    <div className="stack failure">
      <h1 tabIndex={-1}>Page not found</h1>
      <p>
        Check the address, or go to <Link href="/home">Home</Link>.
      </p>
    </div>
  );
}

interface FrameProps {
  redirect?: string | undefined;
  palette: ReactNode;
  children: ReactNode;
}

/** All routes have this shape, so that React changes only the content between them. */
function Frame({ redirect, palette, children }: FrameProps) {
  return (
    <>
      {redirect ? <Redirect to={redirect} /> : null}
      <Layout sections={<Sections />}>
        {children}
        <Suspense fallback={null}>{palette}</Suspense>
      </Layout>
    </>
  );
}

/**
 * Renders the application into `#root`, and takes over the markup of the server, if any.
 *
 * @param fail Called with an error that no boundary caught, which leaves the page empty.
 * @throws {Error} When the page has no `#root`.
 */
export function start(loaders: typeof areaLoaders, fail: (error: unknown) => void): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("The page has no #root.");
  const app = (
    <StrictMode>
      <App
        path={pathOf(location.pathname)}
        search={location.search}
        brand={readBrand()}
        areas={createAreas(loaders)}
      />
    </StrictMode>
  );
  applyPreferences();
  const options = { onUncaughtError: fail };
  if (root.hasChildNodes()) hydrateRoot(root, app, options);
  else createRoot(root, options).render(app);
  // Without it, the page is read again when it is seen again, as ever.
  import("./register/follow-others.ts").then(
    ({ followOthers }) => followOthers(),
    () => undefined,
  );
}
