import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from "react";
import { hasUnsavedChanges } from "./unsaved-changes.ts";

/** A component whose code is loaded when it is first shown; it suspends until then. */
export interface LazyComponent<Props> {
  (props: Props): ReactNode;
  /** Starts loading. A failure waits until the component is shown. */
  preload(): void;
}

/** Code that did not arrive in two requests. */
export class MissingCodeError extends Error {
  override readonly name = "MissingCodeError";
}

/** Before the second request: a connection that broke may be back. */
const RETRY_DELAY_MS = 300;

const renewals = new Set<() => void>();

/**
 * `React.lazy`, but it can preload, and forgets a failure only with `renewCode`: forgetting it
 * while rendering would retry without end.
 *
 * @param waiting Stands there until the code has come; without it, what is around suspends.
 */
export function lazyCode<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  waiting?: ReactNode,
): LazyComponent<Props> {
  let failed = false;
  let loading: ReturnType<typeof load> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const request = () =>
    (loading ??= load().then(
      (code) => {
        loaded = code.default;
        return code;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));
  const create = () =>
    lazy(() =>
      loadCode(request).catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    );
  let component: ComponentType<Props> = create();
  renewals.add(() => {
    if (failed) component = create();
    failed = false;
  });

  function Lazy(props: Props) {
    // Loaded code does not suspend; the first component shown stays.
    const [shown] = useState(() => loaded ?? component);
    const content = createElement(shown, props);
    if (waiting === undefined) return content;
    return createElement(Suspense, { fallback: waiting }, content);
  }
  Lazy.preload = () => {
    if (!failed) request().catch(() => undefined);
  };
  return Lazy;
}

/** Lets code that failed to load be requested again. Never call it in a render. */
export function renewCode(): void {
  for (const renew of renewals) renew();
}

/**
 * Loads code, with one retry. If the server then has a newer version, the page is reloaded and the
 * promise stays open; not with unsaved changes, nor if the page was just reloaded.
 *
 * @throws {MissingCodeError} Otherwise.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
  }
  try {
    return await load();
  } catch (cause) {
    const outdated = (await checkVersion()) === "outdated";
    if (!outdated || hasUnsavedChanges() || wasReloaded()) {
      throw new MissingCodeError("Part of the page didn’t load. Check your connection.", { cause });
    }
    location.reload();
    return new Promise(() => {});
  }
}

/** A page that was just reloaded does not reload itself again: never a loop. */
function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation !== undefined && "type" in navigation && navigation.type === "reload";
}

/**
 * Asks the server whether this page is its newest version: the page's script names a file that
 * exists only in this version. In development, where the page follows every edit, it always is.
 */
export async function checkVersion(): Promise<"current" | "outdated" | "unreachable"> {
  if (process.env.NODE_ENV !== "production") return "current";
  const script = document.querySelector<HTMLScriptElement>("script[type=module]");
  try {
    const { version = "" } = script?.dataset ?? {};
    const { status } = await fetch(version, { method: "HEAD", cache: "no-store" });
    return status === 404 ? "outdated" : "current";
  } catch {
    return "unreachable";
  }
}
