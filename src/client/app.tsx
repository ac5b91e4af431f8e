import { type ReactNode, StrictMode, Suspense, useCallback } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Route, Switch } from "wouter";
import { readBrand } from "../shared/brand.ts";
import type { areas as areaLoaders } from "./areas.ts";
import { lazyCode, type LazyComponent } from "./ui/lazy-code.ts";
import { BrandContext } from "./shell/brand-context.ts";
import { Layout } from "./shell/layout.tsx";
import { LocationRouter, Redirect, strictPath } from "./shell/location-router.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { usePaletteOpen } from "./session/palette-state.ts";

/** Every area of the application, by its name in `areas.ts`. */
type Areas = Record<keyof typeof areaLoaders, LazyComponent<object>>;

/** Makes the areas lazy: none is loaded before it is shown or preloaded. */
export function createAreas(loaders: typeof areaLoaders): Areas {
  const lazy = Object.entries(loaders).map(([name, load]) => [name, lazyCode(load)]);
  // What is made of every entry of an object has its keys.
  return Object.fromEntries(lazy) as Areas;
}

/** What the application shows at a path. */
interface Screen {
  title: string;
  area: Exclude<keyof Areas, "palette">;
  /** The address that replaces this one. Its screen is shown at once. */
  redirect?: string;
}

/**
 * Every screen by its pattern, as `strictPath` reads it; the first that matches wins. Any other path
 * shows the not-found screen.
 */
export const screens: Readonly<Record<string, Screen>> = {
  "/": { title: "Home", area: "home", redirect: "/home" },
  "/home": { title: "Home", area: "home" },
  "/domains": { title: "Domains", area: "domains/list" },
  "/domains/bin": { title: "Bin", area: "domains/bin" },
  "/domains/import": { title: "Import", area: "import" },
  "/settings": { title: "Settings", area: "settings" },
  "/settings/reminders": { title: "Reminders", area: "settings/reminders" },
  "/registrars": { title: "Registrars", area: "registrars" },
  "/costs": { title: "Costs", area: "costs" },
  "/checks": { title: "Live checks", area: "checks" },
  "/domains/:domain": { title: "Domain", area: "domains/domain" },
};

/** The pattern in `screens` that a path belongs to. */
export function screenAt(path: string): string | undefined {
  return Object.keys(screens).find((pattern) => strictPath(pattern).pattern.exec(path));
}

/** The document's title on a path. Where the pattern has a parameter, that is the title. */
export function titleOf(path: string, brand: string): string {
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

/** The whole application as it looks at `path`; in the browser it follows the address from there. */
export function App({ path, brand, areas }: { path: string; brand: string; areas: Areas }) {
  const preload = useCallback(
    (next: string) => {
      const screen = screens[screenAt(next) ?? ""];
      if (screen) areas[screen.area].preload();
    },
    [areas],
  );
  const palette = usePaletteOpen() && <areas.palette />;
  return (
    <BrandContext value={brand}>
      <LocationRouter path={path} titleOf={titleOf} preload={preload}>
        <Switch>
          {Object.entries(screens).map(([pattern, { area, redirect }]) => {
            const Area = areas[area];
            return (
              <Route key="screen" path={pattern}>
                <Shown redirect={redirect} palette={palette}>
                  <Area />
                </Shown>
              </Route>
            );
          })}
          <Route key="screen">
            <Shown palette={palette}>
              <NotFound />
            </Shown>
          </Route>
        </Switch>
      </LocationRouter>
    </BrandContext>
  );
}

interface ShownProps {
  redirect?: string | undefined;
  palette: ReactNode;
  children: ReactNode;
}

/** One shape for every route: from one to the next, React changes only the content. */
function Shown({ redirect, palette, children }: ShownProps) {
  return (
    <>
      {redirect ? <Redirect to={redirect} /> : null}
      <Layout>
        {children}
        <Suspense fallback={null}>{palette}</Suspense>
      </Layout>
    </>
  );
}

/**
 * Renders the application into `#root`, taking over the markup that the server rendered, if any.
 *
 * @param loaders How the code of each area is loaded.
 * @param fail Called with an error that no boundary caught: nothing is left on the page then.
 * @throws {Error} When the page has no `#root`.
 */
export function start(loaders: typeof areaLoaders, fail: (error: unknown) => void): void {
  const root = document.getElementById("root");
  if (!root) throw new Error('The page has no element with the id "root".');
  const app = (
    <StrictMode>
      <App path={location.pathname} brand={readBrand()} areas={createAreas(loaders)} />
    </StrictMode>
  );
  const options = { onUncaughtError: fail };
  if (root.hasChildNodes()) hydrateRoot(root, app, options);
  else createRoot(root, options).render(app);
}
