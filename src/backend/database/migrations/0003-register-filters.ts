import type { Migration } from "./migration.ts";

/**
 * Indexes for every filter and for the summary. That of the expiry carries what is asked together
 * with it (what needs a decision, what the next months cost), so that no row is read for a count.
 * Only few names have sources that disagree: theirs is an index of those alone.
 */
export const registerFilters: Migration = {
  version: 3,
  name: "register filters",
  statements: [
    `drop index domains_by_expiry`,
    `create index domains_by_expiry on domains (expires_on, name, unicode, auto_renew, decision,
      renewal_currency, renewal_minor)`,
    `create index domains_in_conflict on domains (expires_on, name) where expires_conflict = 1`,
  ],
};
