import type { Migration } from "../database.ts";

/**
 * When the person of a session last proved who they are, and the failed sign-ins of each address, which
 * all instances count together. `account` is a hash of whose password was tried, "" where it were several;
 * `ends_at` is in milliseconds since 1970.
 */
export const proofs: Migration = {
  version: 30,
  name: "proofs and failed sign-ins",
  statements: [
    `alter table sessions add column proved_at text not null default ''`,
    `create table failed_sign_ins (
      address text primary key,
      account text not null,
      attempts integer not null,
      ends_at bigint not null)`,
    `create index failed_sign_ins_by_end on failed_sign_ins (ends_at)`,
  ],
};
