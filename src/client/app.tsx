import { type ReactNode, useCallback } from "react";
import { Route, Switch } from "wouter";
import type { areas as loads } from "./areas.ts";
import { lazyCode, type LazyComponent } from "./lazy-code.ts";
import { BrandContext } from "./shell/brand-context.ts";
import { Layout } from "./shell/layout.tsx";
import { LocationRouter, Redirect } from "./shell/location-router.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { strictPath } from "./shell/strict-path.ts";

/** Every area of the application, by its name in `areas.ts`. */
export type Areas = Record<keyof typeof loads, LazyComponent<object>>;

/** Makes the areas lazy: none is loaded before it is shown or preloaded. */
export function createAreas(all: typeof loads): Areas {
  const lazy = Object.entries(all).map(([name, load]) => [name, lazyCode(load)]);
  // What is made of every entry of an object has its keys.
  return Object.fromEntries(lazy) as Areas;
}

interface Screen {
  title: string;
  area: keyof Areas;
  /** Where the address goes, leaving no history entry behind; the screen shows meanwhile. */
  redirect?: string;
}

/** By pattern, as `strictPath` reads it. The first that matches wins. */
const routes: Record<string, Screen> = {
  "/": { title: "Home", area: "home", redirect: "/home" },
  "/home": { title: "Home", area: "home" },
  "/domains": { title: "Domains", area: "domains" },
  "/domains/import": { title: "Import", area: "importing" },
  "/domains/:domain": { title: "Domain", area: "domain" },
};

/** Every known screen: a path, or a pattern for many. Any other path shows the not-found screen. */
export const screens: readonly string[] = Object.keys(routes);

/** Which of `screens` a path belongs to. */
export function screenAt(path: string): string | undefined {
  return screens.find((route) => strictPath(route).pattern.exec(path) !== null);
}

/** The document's title on a path. Where a pattern matched, it is what stands for the parameter. */
export function titleOf(path: string, brand: string): string {
  const screen = screenAt(path);
  const title = screen === undefined ? "Not found" : routes[screen]?.title;
  const given = screen === path ? undefined : screen && readParameter(path);
  return `${given ?? title} · ${brand}`;
}

function readParameter(path: string): string {
  const written = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

interface Props {
  path: string;
  brand: string;
  areas: Areas;
}

/** The whole application as it looks at `path`; in the browser it follows the address from there. */
export function App({ path, brand, areas }: Props) {
  const preload = useCallback(
    (next: string) => {
      const screen = routes[screenAt(next) ?? ""];
      if (screen) areas[screen.area].preload();
    },
    [areas],
  );
  return (
    <BrandContext value={brand}>
      <LocationRouter path={path} titleOf={titleOf} preload={preload}>
        <Switch>
          {Object.entries(routes).map(([route, { area, redirect }]) => {
            const Area = areas[area];
            return (
              <Route key="screen" path={route}>
                <Shown redirect={redirect}>
                  <Area />
                </Shown>
              </Route>
            );
          })}
          <Route key="screen">
            <Shown>
              <NotFound />
            </Shown>
          </Route>
        </Switch>
      </LocationRouter>
    </BrandContext>
  );
}

/** One shape for every route: what differs from one to the next is only what stands in the content. */
function Shown({ redirect, children }: { redirect?: string | undefined; children: ReactNode }) {
  return (
    <>
      {redirect ? <Redirect to={redirect} /> : null}
      <Layout>{children}</Layout>
    </>
  );
}
