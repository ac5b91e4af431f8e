/**
 * What the application uses of its packages, in a script of its own, which edits of the application
 * leave alone. The build fails for a name that is missing here.
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
