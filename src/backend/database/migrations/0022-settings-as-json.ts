import type { Migration } from "../database.ts";

/** Every setting is JSON: until now some were plain texts, of letters, digits, `-` and `_` only. */
export const settingsAsJson: Migration = {
  version: 22,
  name: "settings as JSON",
  statements: [
    // A code of `owner reset` lasts for an hour.
    `delete from settings where name = 'reset code'`,
    `update settings set value = '"' || value || '"'
      where name in ('xsrf secret', 'set-up code', 'register id')`,
  ],
};
