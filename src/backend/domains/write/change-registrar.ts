import type { SQL } from "bun";
import type { ChangedRegistrar, RegistrarInput } from "../../../shared/registrars.ts";
import { foldLabel } from "../../../shared/text.ts";
import { insertRows } from "../../database/bulk-rows.ts";
import { hasRows, type Job, readColumn } from "../../database/database.ts";
import { RequestError } from "../../http/request-error.ts";
import { changeMany } from "./bulk.ts";
import type { Maker } from "./history.ts";
import { carryRename } from "./renames.ts";
import { ensureLabels } from "./labels.ts";

/** Another name changes all domains, too. @throws {RequestError} 404 */
export const changeRegistrar: Job<
  { key: string; change: RegistrarInput; by: Maker },
  ChangedRegistrar
> = {
  name: "change registrar",
  async run(sql, { key, change, by }) {
    const { name, loginUrl, prices, pricesBefore } = change;
    if (!(await hasRows(sql`select 1 from domains where registrar_key = ${key} limit 1`))) {
      throw new RequestError(404, "No domain is at this registrar: it may have another name now.");
    }
    const changed =
      name === undefined ? { key, moved: 0, operation: null } : await rename(sql, key, name, by);
    if (loginUrl !== undefined) {
      await sql`update registrars set login_url = ${loginUrl} where label_key = ${changed.key}`;
    }
    if (prices !== undefined) {
      const before = new Map(pricesBefore?.map((price) => [price.tld, price]));
      const edited = prices.filter((price) => !Bun.deepEquals(price, before.get(price.tld)));
      for (const { tld } of prices) before.delete(tld);
      const tlds = [...edited.map(({ tld }) => tld), ...before.keys()];
      await sql`delete from registrar_prices where registrar_key = ${changed.key}
        ${pricesBefore === undefined ? sql`` : sql`and tld in ${sql(tlds)}`}`;
      const rows = edited.map(({ tld, minor, currency, years }) => {
        return { registrar_key: changed.key, tld, minor, currency, years };
      });
      await insertRows(sql, "registrar_prices", rows);
    }
    return changed;
  },
};

/**
 * Moves all domains to the new name, which may exist. What the old one had stays with it, unseen,
 * for an undo. Reports keep the name of their source, which the next export has again.
 */
async function rename(sql: SQL, key: string, name: string, by: Maker): Promise<ChangedRegistrar> {
  const next = foldLabel(name);
  if (next === key) {
    await sql`update registrars set label = ${name} where label_key = ${key}`;
    return { key, moved: 0, operation: null };
  }
  await ensureLabels(sql, "registrars", [{ id: null, registrar: name }]);
  await sql`update registrars set login_url = (
      select other.login_url from registrars other where other.label_key = ${key})
    where label_key = ${next} and login_url is null`;
  await sql`insert into registrar_prices (registrar_key, tld, minor, currency, years)
    select ${next}, tld, minor, currency, years from registrar_prices where registrar_key = ${key}
    on conflict do nothing`;
  const ids = await readColumn(sql`select id from domains where registrar_key = ${key}`);
  const { changed: moved, operation } = await changeMany.run(sql, {
    selection: { kind: "ids", ids },
    change: { kind: "edit", given: { registrar: name } },
    by,
  });
  if (operation) await carryRename(sql, operation, { field: "registrar", from: key, to: name });
  return { key: next, moved, operation };
}
