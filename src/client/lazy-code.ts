import { type ComponentType, createElement, lazy, type ReactNode, useState } from "react";
import { loadCode } from "./load-code.ts";

/** A component whose code comes when it is first shown; it suspends until then. */
export interface LazyComponent<Props> {
  (props: Props): ReactNode;
  /** Starts loading without showing anything. A failure waits for the component to meet it. */
  preload(): void;
}

const renewals = new Set<() => void>();

/**
 * `React.lazy`, which on its own can neither preload nor forget a failure. The failure is kept until
 * `renewCode`: forgetting it while rendering would retry without end.
 */
export function lazyCode<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
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
    // What is there already does not suspend; what was shown first stays the same component.
    const [shown] = useState(() => loaded ?? component);
    return createElement(shown, props);
  }
  Lazy.preload = () => {
    if (!failed) request().catch(() => undefined);
  };
  return Lazy;
}

/**
 * Gives all code that failed to load another chance: on navigation, and when a person asks. Never
 * call it in a render.
 */
export function renewCode() {
  for (const renew of renewals) renew();
}
