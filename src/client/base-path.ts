import { pathBelow } from "../shared/api.ts";
import { XSRF_COOKIE } from "../shared/session.ts";

/** What the server writes into pages below a base path. */
const { basePath = "", xsrfCookie = XSRF_COOKIE } =
  globalThis.document?.documentElement.dataset ?? {};

export { basePath, xsrfCookie };

/** The URL of a path of this register. `Link` and `useLocation` do this by themselves. */
export const urlOf = (path: string): string => basePath + path;

export const pathOf = (pathname: string): string => pathBelow(basePath, pathname);
