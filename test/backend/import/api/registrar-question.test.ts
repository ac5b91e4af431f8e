import { describe, expect } from "bun:test";
import type { Import } from "../../../../src/shared/import.ts";
import type { ImportInput } from "../../../../src/shared/import-input.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { addDomain } from "../../../support/domains.ts";
import { changeImport, listRows, sendCommit, uploadFile } from "../../../support/import-client.ts";
import { once, test } from "../../../support/owner-test.ts";

const HEADER = "Domain,Runs out,What it is for,Fee";
const FILE = `${HEADER}\na.example,05/01/2027,Shop,9.50\n`;

/** Uploads a file under a name, and makes its preview. */
async function preview(
  client: ApiClient,
  { name, text = FILE }: { name: string; text?: string },
  input: ImportInput = {},
): Promise<Import> {
  const uploadId = await uploadFile(client, text, name);
  const json = { uploadId, ...input };
  const response = await client.post("/api/imports", json);
  expect(response.status).toBe(201);
  return response.json();
}

describe("the registrar of a file", () => {
  once("is asked for where no row has one; not to know it is an answer", async (client) => {
    const text = "Domain,Expires\na.example,2027-01-05\n";
    const asked = await preview(client, { name: "export.csv", text });
    expect(asked.ambiguous).toEqual([{ code: "registrar", guess: null }]);
    const refused = await sendCommit(client, asked.id);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { errors: [{ pointer: "/defaults/registrar", code: "registrar" }] },
    ]);
    const still = await changeImport(client, asked, { defaults: { owner: "Pat" } });
    expect(still.ambiguous).toHaveLength(1);
    const unknown = await changeImport(client, asked, { defaults: { registrarUnknown: true } });
    expect(unknown.ambiguous).toEqual([]);
    const known = await changeImport(client, asked, {
      defaults: { registrar: "Hoster", registrarUnknown: true },
    });
    expect(known).toMatchObject({ ambiguous: [], defaults: { registrar: "Hoster" } });
    await changeImport(client, asked, { defaults: { registrarUnknown: true } });
    expect((await sendCommit(client, asked.id)).status).toBe(200);
    expect(await client.json("/api/domains/a.example")).toMatchObject({
      expires: { source: "export.csv" },
    });
  });

  once(
    "is not asked for where the file tells enough, and guessed from its name",
    async (client) => {
      for (const text of [
        "Domain,Expires,Registrar\na.example,2027-01-05,\nb.example,2027-01-05,Hoster\n",
        "Domain Name,Create Date,Expire Date\na.example,6/5/2024,6/5/2027\n",
        "a.example\nb.example\n",
      ]) {
        expect((await preview(client, { name: "x.csv", text })).ambiguous).toEqual([]);
      }
      // As the register spells it.
      await addDomain(client, { name: "z.example", registrar: "ACME Names" });
      for (const [name, guess] of [
        ["acme-names 2026-11.csv", "ACME Names"],
        ["My_IONOS_domains.csv", "IONOS"],
        ["domains.gandi.csv", "Gandi"],
        ["domains.csv", null],
      ] as const) {
        const { ambiguous } = await preview(client, { name });
        expect(ambiguous).toContainEqual({ code: "registrar", guess });
      }
    },
  );
});

describe("a layout that a person mapped", () => {
  const mapping = ["name", "expires", "custom", "ignore"] as const;
  const decided: ImportInput = {
    mapping: [...mapping],
    dateOrder: "dmy",
    defaults: { registrar: "Hoster", tags: ["shop"] },
  };

  test("is remembered once its file is imported, for any file with the same headers", async (client) => {
    const first = await preview(client, { name: "november.csv" }, decided);
    expect(first.remembered).toBeNull();
    const unseen = await preview(client, { name: "november.csv" });
    expect(unseen).toMatchObject({ remembered: null, dateOrder: null, defaults: {} });
    expect((await sendCommit(client, first.id)).status).toBe(200);

    const text = `${HEADER.toUpperCase()}\na.example,06/01/2028,Shop,9.50\n`;
    const next = await preview(client, { name: "december.csv", text });
    const { remembered } = next;
    expect(Date.parse(remembered ?? "")).toBeGreaterThan(0);
    expect(next).toMatchObject({
      ambiguous: [],
      dateOrder: "dmy",
      defaults: { registrar: "Hoster", tags: ["shop"] },
      counts: { changed: 1 },
    });
    expect(next.columns.map(({ field }) => field)).toEqual([...mapping]);
    const later = await changeImport(client, next, { dateOrder: "mdy" });
    expect(later.remembered).toBe(remembered);
    const anew = await changeImport(client, next, {
      mapping: ["name", "expires", "notes", "ignore"],
    });
    expect(anew.remembered).toBeNull();
    expect((await sendCommit(client, next.id)).status).toBe(200);
    expect(await client.json("/api/domains")).toMatchObject({
      items: [
        { custom: { "What it is for": "Shop" }, notes: "Shop", expires: { source: "Hoster" } },
      ],
    });
  });

  once("is forgotten where a file shows other names, dates or secrets", async (client) => {
    const first = await preview(client, { name: "november.csv" }, decided);
    expect((await sendCommit(client, first.id)).status).toBe(200);
    const elsewhere = await preview(client, { name: "ionos.csv" });
    expect(elsewhere).toMatchObject({
      remembered: expect.any(String),
      ambiguous: [{ code: "registrar", guess: "IONOS" }],
      defaults: { tags: ["shop"] },
    });
    const addresses = `${HEADER}\nb.example,25/01/2027,pat@b.example,9.50\n`;
    const secret = await preview(client, { name: "december.csv", text: addresses });
    expect([secret.remembered, secret.columns[2]?.secret]).toEqual([null, true]);
    const moved = `${HEADER}\n2027-01-05,b.example,Shop,9.50\n2027-01-06,c.example,Shop,9.50\n`;
    expect(await preview(client, { name: "december.csv", text: moved })).toMatchObject({
      remembered: null,
      counts: { new: 2, invalid: 0 },
    });
    const american = `${HEADER}\nb.example,12/31/2027,Shop,9.50\nc.example,05/06/2027,Shop,9.50\n`;
    const other = await preview(client, { name: "december.csv", text: american });
    expect(other).toMatchObject({
      remembered: expect.any(String),
      ambiguous: [],
      dateOrder: null,
      counts: { new: 2, partly: 0 },
    });
    const rows = await listRows(client, other.id);
    expect(rows.map(({ values }) => values.expires)).toEqual(["2027-12-31", "2027-05-06"]);
  });
});
