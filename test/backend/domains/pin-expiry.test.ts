import { describe, expect } from "bun:test";
import { once as test } from "../../support/owner-test.ts";
import { addDomain, patchDomain, reportExpiry } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";

describe("a day that is said by hand", () => {
  test("counts, though another instance's clock is ahead", async (client) => {
    const { id } = await addDomain(client, { name: "example.com", expires: "2027-01-01" });
    const observedAt = new Date(Date.now() + 3_600_000).toISOString();
    const database = await client.server.openDatabase();
    await reportExpiry(database, id, [
      { source: "manual", date: "2028-01-01", observedAt },
      { source: "GoDaddy", date: "2029-01-01", observedAt },
    ]);
    const response = await patchDomain(client, id, { expires: "2030-01-01" }, '"2"');
    expect(response.headers.get("etag")).toStartWith('"3-');
    expect(await response.json()).toMatchObject({
      version: 3,
      expires: { date: "2030-01-01", source: "manual", conflict: false },
    });
  });
});

describe("what a file says that changes no field", () => {
  test("makes a new version where another source agrees, and where a pin hides it", async (client) => {
    for (const pin of [null, "2030-01-01"]) {
      const name = `pin-${pin}.example`;
      await importFile(client, `domain,registrar,expires\n${name},GoDaddy,2027-01-05\n`);
      const domain = () => client.request(`/api/domains/${name}`);
      const { id } = await (await domain()).json();
      if (pin !== null) await patchDomain(client, id, { expires: pin }, "*");
      const before = (await domain()).headers.get("etag") ?? "";
      const { counts } = await importFile(client, `domain,expires\n${name},2027-01-05\n`);
      expect(counts.changed).toBe(1);
      const after = (await domain()).headers.get("etag") ?? "";
      expect((await patchDomain(client, id, { notes: "x" }, before)).status).toBe(412);
      expect((await patchDomain(client, id, { notes: "x" }, after)).status).toBe(200);
    }
  });
});
