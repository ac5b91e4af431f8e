import { describe, expect } from "bun:test";
import { addDays, utcToday } from "../../../src/shared/day.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { test } from "../../support/owner-test.ts";
import { addDomain, patchDomain } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";

const TODAY = utcToday();
const IN = (days: number) => addDays(TODAY, days);

describe("what was dropped and is over", () => {
  test("is no work, is left out by lapsed=false, found by search, and keeps its history", async (client) => {
    const drop = { decision: "drop", autoRenew: true };
    await addDomain(client, { name: "charged.example", expires: IN(-75), ...drop });
    await addDomain(client, { name: "over.example", expires: IN(-76), ...drop });
    const free = await addDomain(client, { name: "free.example", expires: null, ...drop });
    await addDomain(client, { name: "wanted.example", expires: IN(-400), decision: "keep" });
    // One source says that it is over, the other that it is charged for until next year.
    await importFile(client, `domain,expires\ndisputed.example,${IN(-100)}\n`);
    await importFile(client, `domain,expires\ndisputed.example,${IN(300)}\n`, {
      defaults: { registrar: "IONOS" },
    });
    // The same, but the list that says that it is over is the newest, and so the one in use.
    await importFile(client, `domain,expires\nreversed.example,${IN(300)}\n`);
    await importFile(client, `domain,expires\nreversed.example,${IN(-100)}\n`, {
      defaults: { registrar: "IONOS" },
    });
    for (const name of ["disputed.example", "reversed.example"]) {
      const { id } = await (await client.request(`/api/domains/${name}`)).json();
      await patchDomain(client, id, { decision: "drop" }, "*");
    }
    await client.server.write(
      (sql) =>
        sql`insert into findings ${sql({
          domain_id: free.id,
          code: "not-registered",
          severity: 0,
          since: `${TODAY}T00:00:00.000Z`,
          evidence: "",
        })}`,
    );

    const list = async (query: string) => {
      const { items } = await (await client.request(`/api/domains?${query}&sort=name`)).json();
      return items.map(({ name }: Domain) => name.replace(".example", ""));
    };
    expect(await list("lapsed=true")).toEqual(["free", "over"]);
    expect(await list("lapsed=false")).toEqual(["charged", "disputed", "reversed", "wanted"]);
    expect(await list("")).toHaveLength(6);
    expect(await list("q=over")).toEqual(["over"]);
    expect(await list("work=switch-off")).toEqual(["charged", "disputed", "reversed"]);
    expect(await list("work=todo")).toEqual(["charged", "disputed", "reversed"]);
    const csv = await (await client.request("/api/domains.csv?lapsed=false")).text();
    expect(csv.trim().split("\r\n")).toHaveLength(5);
    const summary = await (await client.request("/api/summary")).json();
    expect(summary).toMatchObject({
      total: 6,
      lapsed: 2,
      unknown: 0,
      conflicts: 2,
      work: { expired: { total: 4, likely: { action: "switch-off", names: 3 } } },
    });
    const { items: history } = await (
      await client.request(`/api/domains/${free.id}/history`)
    ).json();
    expect(history).toHaveLength(1);

    // Whoever wants it after all is told what is wrong.
    await patchDomain(client, free.id, { decision: "keep" }, "*");
    expect(await list("lapsed=true")).toEqual(["over"]);
    const [kept] = (await (await client.request("/api/domains?q=free")).json()).items;
    expect(kept).toMatchObject({ alert: "Not registered", findingCodes: ["not-registered"] });
    expect(await list("finding=critical&lapsed=false")).toEqual(["free"]);
    // Turned off, it waits for nothing.
    const [charged] = (await (await client.request("/api/domains?q=charged")).json()).items;
    await patchDomain(client, charged.id, { autoRenew: false }, "*");
    expect(await list("work=todo")).toEqual(["disputed", "reversed"]);
  });
});
