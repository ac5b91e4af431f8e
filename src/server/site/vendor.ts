/**
 * What the application uses of its packages, as the entry of a script of its own: an edit of the
 * application leaves it as it is. A name that the application begins to use belongs here too; the
 * build fails where one is missing.
 */
export {
  Activity,
  Component,
  createContext,
  createElement,
  Fragment,
  lazy,
  memo,
  StrictMode,
  Suspense,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
  startTransition,
} from "react";
export { flushSync } from "react-dom";
export { createRoot, hydrateRoot } from "react-dom/client";
export { jsx, jsxs } from "react/jsx-runtime";
export { Link, Route, Router, Switch, useLocation, useParams, useSearch } from "wouter";
export { navigate } from "wouter/use-browser-location";
