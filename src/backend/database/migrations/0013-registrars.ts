import type { Migration } from "./migration.ts";

/**
 * A registrar has a login link and a price list: what a renewal costs there under each TLD. It is the
 * price of every domain that has none of its own, and read where it is needed, so that a new list
 * holds at once.
 */
export const registrars: Migration = {
  version: 13,
  name: "registrars",
  statements: [
    `alter table registrars add column login_url text`,
    `create table registrar_prices (
      registrar_key text not null references registrars (label_key),
      tld text not null,
      minor bigint not null check (minor >= 0),
      currency text not null,
      years integer not null,
      primary key (registrar_key, tld))`,
  ],
};
