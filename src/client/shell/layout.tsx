import { Component, type ReactNode, Suspense, use, useSyncExternalStore } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { Button } from "../ui/button.tsx";
import { checkVersion, MissingCodeError, renewCode } from "../ui/lazy-code.ts";
import { dismiss, notifications, type Shown } from "../ui/notifications.ts";
import { focusHeading } from "../ui/page.ts";
import { useStore } from "../ui/store.ts";
import { BrandContext } from "./location-router.tsx";

/**
 * Navigation bar, sections, content, footer. Failures of the content stay there. The boundaries keep their
 * identity across screens: a new one would show its fallback on navigation.
 */
export function Layout({ sections, children }: { sections?: ReactNode; children: ReactNode }) {
  const brand = use(BrandContext);
  const [path] = useLocation();
  const search = useSearch();
  return (
    <div className="layout">
      <a className="button skip-link" href="#content">
        Skip to content
      </a>
      <nav className="bar" aria-label="Main">
        <Link href="/" aria-label={brand}>
          <Logo />
        </Link>
      </nav>
      <main>
        {sections}
        <div className="page" id="content" tabIndex={-1}>
          <ErrorBoundary resetKey={path + search}>
            <Suspense fallback={<output>Loading…</output>}>{children}</Suspense>
          </ErrorBoundary>
        </div>
      </main>
      <Footer />
      <NotificationList />
    </div>
  );
}

function Footer() {
  const brand = use(BrandContext);
  const year = useSyncExternalStore(subscribeToYear, readDeviceYear, readServedYear);
  return (
    <footer className="foot">
      © <time data-year>{year}</time> {brand} - All rights reserved.
    </footer>
  );
}

/** A page left open follows a new year when it is seen again. */
function subscribeToYear(onChange: () => void) {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

function readDeviceYear(): string {
  return String(new Date().getFullYear());
}

/** The year in the markup being hydrated, which may be from another year. */
function readServedYear(): string {
  const served = typeof document === "undefined" ? null : document.querySelector("[data-year]");
  return served?.textContent || readDeviceYear();
}

const NAME_WIDTH_PX = 136;
/** Average width of a letter of this weight. */
const LETTER_WIDTH_EM = 0.58;

/**
 * A plot of land with its corner post, and the product's name. It is inline, because it is the
 * largest thing on the first paint. A long name is smaller.
 */
function Logo() {
  const brand = use(BrandContext);
  const size = Math.min(27, Math.max(11, NAME_WIDTH_PX / (LETTER_WIDTH_EM * brand.length)));
  const squeezed = brand.length * size * LETTER_WIDTH_EM > NAME_WIDTH_PX + 1;
  return (
    <svg className="logo" width="200" height="60" viewBox="0 0 200 60" aria-hidden="true">
      <path d="M38 46H14a4 4 0 0 1-4-4V18a4 4 0 0 1 4-4h24a4 4 0 0 1 4 4v14" />
      <path d="M10 26h32M22 26v20" />
      <circle cx="43" cy="44" r="5.5" />
      <text
        x="60"
        y={30 + size * 0.35}
        fontSize={size}
        {...(squeezed ? { textLength: NAME_WIDTH_PX, lengthAdjust: "spacingAndGlyphs" } : {})}
      >
        {brand}
      </text>
    </svg>
  );
}

/** Always on the page, so that screen readers announce new notifications. */
export function NotificationList() {
  return (
    <div className="notifications" aria-live="polite">
      {useStore(notifications).map((each) => (
        <Item key={each.number} notification={each} />
      ))}
    </div>
  );
}

function Item({ notification }: { notification: Shown }) {
  const { text, action } = notification;
  function close() {
    dismiss(notification);
    // The focused button is gone.
    focusHeading({ preventScroll: true });
  }
  return (
    <div>
      <p>
        {text}
        {action?.key && <span className="unseen"> Press {action.key} to undo.</span>}
      </p>
      {action && (
        <Button
          aria-keyshortcuts={action.key}
          onClick={() => {
            close();
            action.onAction();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button look="quiet" size="icon" aria-label="Dismiss" onClick={close}>
        ×
      </Button>
    </div>
  );
}

interface Props {
  /** A new value, such as the address, gives the content another chance. */
  resetKey: string;
  children: ReactNode;
}

interface State {
  error?: unknown;
}

/** Catches failures of the content and offers to try again; React logs the error. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidUpdate(previous: Props, { error }: State) {
    // The error may have come with the new value.
    if (error !== undefined && previous.resetKey !== this.props.resetKey) this.reset();
  }

  reset() {
    renewCode();
    this.setState({ error: undefined });
  }

  retry = async () => {
    // Browsers request a script that they could not parse again only for a new page.
    const missing = this.state.error instanceof MissingCodeError;
    if (missing && (await checkVersion()) !== "unreachable") location.reload();
    else this.reset();
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="stack failure" role="alert">
        <h1 tabIndex={-1}>This screen could not be loaded</h1>
        <p>
          {error instanceof MissingCodeError
            ? "Check your connection, then try again."
            : "Something went wrong in this screen. Your data is not affected."}
        </p>
        <Button onClick={this.retry}>Try again</Button>
      </div>
    );
  }
}
