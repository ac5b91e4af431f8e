import { pathBelow } from "../shared/base-path.ts";
import { XSRF_COOKIE } from "../shared/session.ts";

/** What the server writes into a page that is not at the root of its host. */
const { basePath = "", xsrfCookie = XSRF_COOKIE } =
  globalThis.document?.documentElement.dataset ?? {};

/** Where on its host the register begins, and what its cookie is called. */
export { basePath, xsrfCookie };

/** The URL of a path of this register. `Link` and `useLocation` make it of paths by themselves. */
export const urlOf = (path: string): string => basePath + path;

/** The path of this register that a URL's path stands for. */
export const pathOf = (pathname: string): string => pathBelow(basePath, pathname);
