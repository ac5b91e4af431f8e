/**
 * How the code of each area is loaded. An area is named after its folder, and its screen is the file
 * of that name in there: the server finds its scripts by that. Only `main.ts` may import this file.
 */
export const areas = {
  home: () => import("./home/home.tsx"),
  "domains/list": () => import("./domains/list/list.tsx"),
  "domains/bin": () => import("./domains/bin/bin.tsx"),
  "domains/domain": () => import("./domains/domain/domain.tsx"),
  palette: () => import("./palette/palette.tsx"),
  "settings/reminders": () => import("./settings/reminders/reminders.tsx"),
  settings: () => import("./settings/settings.tsx"),
  registrars: () => import("./registrars/registrars.tsx"),
  checks: () => import("./checks/checks.tsx"),
  changes: () => import("./changes/changes.tsx"),
  costs: () => import("./costs/costs.tsx"),
  import: () => import("./import/import.tsx"),
};
