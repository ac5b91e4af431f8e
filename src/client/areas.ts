/**
 * How the code of each area is loaded. Nothing but the page's first script imports this: it alone
 * names the areas' files, whose names are new after an edit, so that no other script changes.
 */
export const areas = {
  home: () => import("./home/home.tsx"),
  domains: () => import("./domains/domains.tsx"),
  importing: () => import("./import/import.tsx"),
  domain: () => import("./domains/domain/domain.tsx"),
};
