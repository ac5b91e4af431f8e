import { Component, lazy, type ReactNode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { Link, Redirect, Route, Switch } from "wouter";
import { WithSession } from "./yardstick-session.tsx";

/** What a developer would write by hand: the same page, no prerendering, two lazy areas. */
const Home = lazy(() => import("./yardstick-home.tsx"));
const Domains = lazy(() => import("./yardstick-domains.tsx"));

class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? <p>Something went wrong.</p> : this.props.children;
  }
}

const year = new Date().getFullYear();

function App() {
  return (
    <>
      <nav>
        <Link href="/">Yardstick</Link>
      </nav>
      <main>
        <Boundary>
          <Suspense fallback={<p>Loading…</p>}>
            <Switch>
              <Route path="/">
                <Redirect to="/home" replace />
              </Route>
              <Route path="/home" component={Home} />
              <Route path="/domains" component={Domains} />
            </Switch>
          </Suspense>
        </Boundary>
      </main>
      <footer>© {year} Yardstick - All rights reserved.</footer>
    </>
  );
}

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(
  <WithSession>
    <App />
  </WithSession>,
);
