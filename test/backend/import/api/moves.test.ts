import { describe, expect } from "bun:test";
import { parseDomainDetail } from "../../../../src/shared/domain-detail.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { changeMany } from "../../../support/domains.ts";
import {
  changeImport,
  importFile,
  listRows,
  previewOf,
  sendCommit,
  skipRows,
  undoImport,
} from "../../../support/import-client.ts";
import { once } from "../../../support/owner-test.ts";

const BEFORE = [
  "Domain,Expires,Registrar",
  "a.example,2027-01-05,GoDaddy",
  "b.example,2027-01-05,Namecheap",
  "c.example,2027-01-05,GoDaddy",
  "d.example,2027-01-05,IONOS",
].join("\n");

const AFTER = [
  "Domain,Expires,Registrar,Status",
  "a.example,2027-06-07,IONOS,cancelled",
  "b.example,2027-01-05,IONOS,active",
  "c.example,2027-06-07,IONOS,",
  "d.example,2027-06-07,IONOS,clientHold",
  "e.example,2027-06-07,IONOS,",
].join("\n");

async function look(client: ApiClient, name: string): Promise<string> {
  const detail = parseDomainDetail(await client.json(`/api/domains/${name}`));
  return `${detail.registrar}${detail.expires?.conflict ? ", 2 dates" : ""}`;
}

describe("domains that another registrar has by the file", () => {
  once("are counted with second dates and losses, but for those left out", async (client) => {
    await importFile(client, BEFORE);
    const preview = await previewOf(client, AFTER);
    expect(preview.counts).toMatchObject({
      moves: [
        { from: "GoDaddy", to: "IONOS", domains: 2 },
        { from: "Namecheap", to: "IONOS", domains: 1 },
      ],
      secondDates: 2,
      losing: 2,
    });
    const rows = await listRows(client, preview.id);
    const ids = rows.filter(({ name }) => name === "a.example").map(({ id }) => id);
    const fewer = {
      moves: [
        { from: "GoDaddy", to: "IONOS", domains: 1 },
        { from: "Namecheap", to: "IONOS", domains: 1 },
      ],
      secondDates: 1,
      losing: 1,
    };
    expect((await skipRows(client, preview, { ids })).counts).toMatchObject(fewer);
    const changed = await changeImport(client, preview, { defaults: { owner: "Ada" } });
    expect(changed.counts).toMatchObject(fewer);
    // Another spelling of a known registrar is no move.
    const file =
      "Domain,Expires,Registrar\na.example,2027-01-05,godaddy.com\nf.example,2027-01-05,porkbun.com\n";
    const { counts } = await importFile(client, file);
    expect(counts).toMatchObject({ new: 1, same: 1, moves: [] });
    expect(await look(client, "f.example")).toBe("Porkbun");
  });

  once(
    "keep their registrar on request, for this import alone, and it can be undone",
    async (client) => {
      await importFile(client, BEFORE);
      const preview = await previewOf(client, AFTER);
      const defaults = { registrarUnknown: true, keepRegistrar: true };
      const kept = await changeImport(client, preview, { defaults });
      expect(kept).toMatchObject({ defaults, counts: preview.counts });
      // One that changes meanwhile is compared again, and kept as well.
      await changeMany(
        client,
        { filter: { q: "c.example" }, expectedCount: 1 },
        { kind: "edit", owner: "Ada" },
      );
      expect((await sendCommit(client, preview.id)).status).toBe(200);
      expect(await look(client, "a.example")).toBe("GoDaddy, 2 dates");
      expect(await look(client, "b.example")).toBe("Namecheap");
      expect(await look(client, "c.example")).toBe("GoDaddy, 2 dates");
      expect(await look(client, "e.example")).toBe("IONOS");
      await undoImport(client, preview.id);
      expect(await look(client, "a.example")).toBe("GoDaddy");
      const next = await importFile(client, AFTER);
      expect(next.defaults.keepRegistrar).toBeUndefined();
      expect(await look(client, "a.example")).toBe("IONOS, 2 dates");
    },
  );
});

once("a column under an unknown header is asked about as the registrar", async (client) => {
  await importFile(client, "Domain,Registrar\nz.example,Ada's Names\n");
  const rows = ["gandi.net,EUR", "Porkbun,GBP", "ada’s names,EUR", "Ada's names,EUR"];
  const text = [
    "Domain,Expires,Price,Where,Cur",
    ...rows.map((row, index) => `n${index}.example,2027-01-05,9.50,${row}`),
  ].join("\n");
  const preview = await previewOf(client, text, { defaults: { registrarUnknown: false } });
  expect(preview.ambiguous).toEqual([{ code: "field", field: "registrar", columns: [3] }]);
  const fields = preview.columns.map(({ field }) => field);
  expect(fields).toEqual(["name", "expires", "renewalPrice", "ignore", "currency"]);
  const no = await changeImport(client, preview, { mapping: fields, defaults: {} });
  expect(no.ambiguous).toEqual([{ code: "registrar", guess: null }]);
  const yes = await changeImport(client, preview, { mapping: fields.with(3, "registrar") });
  expect(yes.ambiguous).toEqual([]);
  expect((await sendCommit(client, preview.id)).status).toBe(200);
  expect(await client.json("/api/domains/n1.example")).toMatchObject({
    registrar: "Porkbun",
    renewal: { minor: 950, currency: "GBP" },
  });
});
