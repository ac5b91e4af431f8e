import { describe, expect } from "bun:test";
import { addDays, utcToday } from "../../../src/shared/day.ts";
import { once as test } from "../../support/owner-test.ts";
import { addDomain, listNames, patchDomain } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";

const TODAY = utcToday();
const IN = (days: number) => addDays(TODAY, days);

describe("what was dropped and is over", () => {
  test("is no work, is left out by lapsed=false, found by search, and keeps its history", async (client) => {
    const drop = { decision: "drop", autoRenew: true };
    const billed = { name: "charged.example", expires: IN(-75), ...drop };
    const charged = await addDomain(client, billed);
    await addDomain(client, { name: "over.example", expires: IN(-76), ...drop });
    const free = await addDomain(client, { name: "free.example", expires: null, ...drop });
    await addDomain(client, { name: "wanted.example", expires: IN(-400), decision: "keep" });
    // One source says that it is over, the other that it is charged for until next year.
    const files = [
      `domain,expires,decision\ndisputed.example,${IN(-100)},drop\n`,
      `domain,expires,registrar\ndisputed.example,${IN(300)},IONOS\n`,
      // The same, but the list that says that it is over is the newest, and so the one in use.
      `domain,expires,decision\nreversed.example,${IN(300)},drop\n`,
      `domain,expires,registrar\nreversed.example,${IN(-100)},IONOS\n`,
    ];
    for (const file of files) await importFile(client, file);
    const finding = { domain_id: free.id, code: "not-registered", severity: 0, evidence: "" };
    await client.server.write(
      (sql) => sql`insert into findings ${sql({ ...finding, since: `${TODAY}T00:00:00.000Z` })}`,
    );

    const list = async (query: string) =>
      (await listNames(client, `${query}&sort=name`)).map((name) => name.replace(".example", ""));
    expect(await list("lapsed=true")).toEqual(["free", "over"]);
    expect(await list("lapsed=false")).toEqual(["charged", "disputed", "reversed", "wanted"]);
    expect(await list("")).toHaveLength(6);
    expect(await list("q=over")).toEqual(["over"]);
    expect(await list("work=switch-off")).toEqual(["charged", "disputed", "reversed"]);
    expect(await list("work=todo")).toEqual(["charged", "disputed", "reversed"]);
    const csv = await (await client.request("/api/domains.csv?lapsed=false")).text();
    expect(csv.trim().split("\r\n")).toHaveLength(5);
    expect(await client.json("/api/summary")).toMatchObject({
      total: 6,
      lapsed: 2,
      unknown: 0,
      conflicts: 2,
      work: { expired: { total: 4, likely: { action: "switch-off", names: 3 } } },
    });
    const history = await client.json(`/api/domains/${free.id}/history`);
    expect(history).toMatchObject({ items: [{ action: "added" }] });

    // Whoever wants it after all is told what is wrong.
    await patchDomain(client, free.id, { decision: "keep" }, "*");
    expect(await list("lapsed=true")).toEqual(["over"]);
    expect(await client.json("/api/domains?q=free")).toMatchObject({
      items: [{ alert: "Not registered", findingCodes: ["not-registered"] }],
    });
    expect(await list("finding=critical&lapsed=false")).toEqual(["free"]);
    // Turned off, it waits for nothing.
    await patchDomain(client, charged.id, { autoRenew: false }, "*");
    expect(await list("work=todo")).toEqual(["disputed", "reversed"]);
  });
});
