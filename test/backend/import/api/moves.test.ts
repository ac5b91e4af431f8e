import { describe, expect, test as once } from "bun:test";
import type { Import } from "../../../../src/shared/import.ts";
import type { ImportInput } from "../../../../src/shared/import-input.ts";
import { parseDomainDetail } from "../../../../src/shared/domain-detail.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { startBackend } from "../../../support/backend-server.ts";
import { test } from "../../../support/both-databases.ts";
import { changeMany } from "../../../support/domains.ts";
import {
  importFile,
  listRows,
  previewOf,
  sendCommit,
  undoImport,
} from "../../../support/import-client.ts";

const BEFORE = [
  "Domain,Expires,Registrar",
  "a.example,2027-01-05,GoDaddy",
  "b.example,2027-01-05,Namecheap",
  "c.example,2027-01-05,GoDaddy",
  "d.example,2027-01-05,IONOS",
].join("\n");

const AFTER = [
  "Domain,Expires,Registrar",
  "a.example,2027-06-07,IONOS",
  "b.example,2027-01-05,IONOS",
  "c.example,2027-06-07,IONOS",
  "d.example,2027-06-07,IONOS",
  "e.example,2027-06-07,IONOS",
].join("\n");

async function change(client: ApiClient, { id }: Import, json: ImportInput): Promise<Import> {
  const response = await client.request(`/api/imports/${id}`, { method: "PATCH", json });
  expect(response.status).toBe(200);
  return response.json();
}

async function look(client: ApiClient, name: string): Promise<string> {
  const detail = parseDomainDetail(await client.json(`/api/domains/${name}`));
  return `${detail.registrar}${detail.expires?.conflict ? ", 2 dates" : ""}`;
}

describe("domains that another registrar has by the file", () => {
  once("are counted with the dates that they get, but for those left out", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    await importFile(client, BEFORE);
    const preview = await previewOf(client, AFTER);
    expect(preview.counts).toMatchObject({
      moves: [
        { from: "GoDaddy", to: "IONOS", domains: 2 },
        { from: "Namecheap", to: "IONOS", domains: 1 },
      ],
      secondDates: 2,
    });
    const rows = await listRows(client, preview.id);
    const ids = rows.filter(({ name }) => name === "a.example").map(({ id }) => id);
    const skip = async (skipped: boolean) =>
      client.json(`/api/imports/${preview.id}/rows`, {
        method: "PATCH",
        json: { skip: { ids }, skipped },
      });
    const fewer = {
      moves: [
        { from: "GoDaddy", to: "IONOS", domains: 1 },
        { from: "Namecheap", to: "IONOS", domains: 1 },
      ],
      secondDates: 1,
    };
    expect(await skip(true)).toMatchObject({ counts: fewer });
    expect(await change(client, preview, { defaults: { owner: "Ada" } })).toMatchObject({
      counts: fewer,
    });
  });

  once("are counted where the registrar has cancelled them, but for those left out", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const text =
      "Domain,Expires,Registrar,Status\na.example,2027-06-07,IONOS,cancelled\nb.example,2027-06-07,IONOS,clientHold\nc.example,2027-06-07,IONOS,active";
    const preview = await previewOf(client, text);
    expect(preview.counts).toMatchObject({ new: 3, losing: 2 });
    const [first] = await listRows(client, preview.id);
    const json = { skip: { ids: [first?.id] }, skipped: true };
    const skipped = client.json(`/api/imports/${preview.id}/rows`, { method: "PATCH", json });
    expect(await skipped).toMatchObject({ counts: { new: 2, losing: 1 } });
  });

  test("keep their registrar on request, for this import alone, and it can be undone", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    await importFile(client, BEFORE);
    const preview = await previewOf(client, AFTER);
    const defaults = { registrarUnknown: true, keepRegistrar: true };
    const kept = await change(client, preview, { defaults });
    expect(kept).toMatchObject({
      defaults,
      counts: {
        moves: [
          { from: "GoDaddy", to: "IONOS", domains: 2 },
          { from: "Namecheap", to: "IONOS", domains: 1 },
        ],
        secondDates: 2,
      },
    });
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
  });

  test("are not moved by another spelling of a known registrar", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    await importFile(client, "Domain,Expires,Registrar\na.example,2027-01-05,Gandi\n");
    const file =
      "Domain,Expires,Registrar\na.example,2027-01-05,gandi.net\nb.example,2027-01-05,porkbun.com\n";
    const { counts } = await importFile(client, file);
    expect(counts).toMatchObject({ new: 1, same: 1, moves: [] });
    expect(await look(client, "b.example")).toBe("Porkbun");
  });
});

describe("columns under headers that nobody knows", () => {
  test("are asked about as the registrar, instead of asking for one", async () => {
    await using server = await startBackend();
    const client = await server.owner();
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
    const no = await change(client, preview, { mapping: fields, defaults: {} });
    expect(no.ambiguous).toEqual([{ code: "registrar", guess: null }]);
    const yes = await change(client, preview, { mapping: fields.with(3, "registrar") });
    expect(yes.ambiguous).toEqual([]);
    expect((await sendCommit(client, preview.id)).status).toBe(200);
    expect(await client.json("/api/domains/n1.example")).toMatchObject({
      registrar: "Porkbun",
      renewal: { minor: 950, currency: "GBP" },
    });
  });

  once("may be auto-renew, where they say yes and no", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const text = "Domain,Expires,By itself\na.example,2027-01-05,yes\nb.example,2027-01-05,no\n";
    const { ambiguous } = await previewOf(client, text);
    expect(ambiguous).toEqual([{ code: "field", field: "autoRenew", columns: [2] }]);
  });
});

describe("a registration in the future", () => {
  test("is not read", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const text =
      "Domain,Expires,Registered on\na.example,2199-01-05,2198-09-27\nb.example,2199-01-05,2020-09-27\n";
    const preview = await previewOf(client, text);
    expect(preview.counts).toMatchObject({ new: 2, partly: 1 });
    const [row] = await listRows(client, preview.id, "class=partly");
    expect(row?.problems).toEqual([
      {
        field: "registeredOn",
        code: "future-date",
        detail: 'This day is in the future: "2198-09-27"',
      },
    ]);
    expect(row?.values).not.toHaveProperty("registeredOn");
  });
});
