import type { Resource } from "../static/resource.ts";

type Ready<T> = T | Promise<T>;

/** What a browser can be given, whichever mode it comes from. Paths are as the URL writes them. */
export interface Site {
  /** A script, a style, a file of `public/`, or the page of a screen that the application knows. */
  find(path: string): Ready<Resource | undefined>;
  /** The page for an address that leads nowhere. */
  notFound(): Ready<Resource>;
}

/** Where the application's empty path leads; its page is shown there without a detour. */
export const FIRST_SCREEN = "/home";
