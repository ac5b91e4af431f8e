import { describe, expect } from "bun:test";
import type { Problem } from "../../../../src/shared/problem.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { importFile, previewOf, sendCommit, uploadFile } from "../../../support/import-client.ts";
import { once as test } from "../../../support/owner-test.ts";

const NOBODY = "01234567-89ab-7def-8123-456789abcdef";

async function refusal(client: ApiClient, path: string, method: string, json?: unknown) {
  const response = await client.request(path, { method, json });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { status, errors = [], detail }: Problem = await response.json();
  expect(detail).not.toMatch(/select |sqlite|postgres|\/tmp/i);
  return { status, errors: errors.map(({ pointer, code }) => `${pointer} ${code}`) };
}

describe("POST /api/imports", () => {
  test("refuses files that are none, the last at its end, and leaves nothing of them", async (client) => {
    const names = Array.from({ length: 7500 }, (_, at) => `name-${at}.example\n`).join("");
    for (const [content, code] of [
      ["Domain,Expiry date\n\n", "no-names"],
      [`Domain,Notes\na.example,"${"x".repeat(800_000)}"\n`, "record-too-long"],
      [`${names}\0`, "binary-file"],
    ] as const) {
      const uploadId = await uploadFile(client, content);
      const refused = await refusal(client, "/api/imports", "POST", { uploadId });
      expect(refused).toEqual({ status: 422, errors: [`/uploadId ${code}`] });
    }
    expect(await client.json("/api/imports")).toEqual({ items: [] });
    expect(await client.server.read((sql) => sql`select * from import_rows`)).toBeEmpty();
  });

  test("refuses an upload that nobody knows, that ran out, or that is used already", async (client) => {
    const unknown = { status: 400, errors: ["/uploadId unknown"] };
    const start = (uploadId: string) => refusal(client, "/api/imports", "POST", { uploadId });
    expect(await start(NOBODY)).toEqual(unknown);
    const [expired, foreign] = [await uploadFile(client, "x"), await uploadFile(client, "y")];
    await client.server.write(async (sql) => {
      const other = { id: NOBODY, email: "eve@example.com", role: "editor", created_at: "" };
      await sql`insert into users ${sql(other)}`;
      await sql`update uploads set user_id = ${NOBODY} where id = ${foreign}`;
      await sql`update uploads set expires_at = '2026-01-01' where id = ${expired}`;
    });
    expect(await start(expired)).toEqual(unknown);
    expect(await start(foreign)).toEqual(unknown);
    const uploadId = await uploadFile(client, "a.example\n");
    const json = { uploadId };
    const [one, other] = await Promise.all([
      client.post("/api/imports", json),
      client.post("/api/imports", json),
    ]);
    expect([one.status, other.status].toSorted()).toEqual([201, 409]);
    const { id } = await (one.ok ? one : other).json();
    expect(await (one.ok ? other : one).json()).toMatchObject({
      detail: "This upload is already part of an import. Upload the file again.",
      existing: id,
    });
    await sendCommit(client, id);
    expect(await start(uploadId)).toEqual({ status: 409, errors: [] });
  });

  test("names every bad field, also of a mapping beside its file", async (client) => {
    const cases: [object | string, string[]][] = [
      [{}, ["/uploadId type"]],
      ["text", [" type"]],
      [{ uploadId: "../../etc/passwd" }, ["/uploadId type"]],
      [{ uploadId: NOBODY, mapping: "x", dateOrder: "" }, ["/mapping type", "/dateOrder choice"]],
      [{ uploadId: NOBODY, colour: 1 }, ["/colour unknown"]],
      [
        { uploadId: NOBODY, defaults: { owner: "x".repeat(201), a: 1 } },
        ["/defaults/a unknown", "/defaults/owner length"],
      ],
      [
        { uploadId: NOBODY, defaults: { tags: [""], currency: "eur" } },
        ["/defaults/tags/0 required", "/defaults/currency currency"],
      ],
    ];
    for (const [json, errors] of cases) {
      expect(await refusal(client, "/api/imports", "POST", json)).toEqual({ status: 400, errors });
    }

    const uploadId = await uploadFile(client, "Domain,Expires,Auth code\na.example,2027-01-05,s\n");
    for (const [mapping, ...errors] of [
      [null, "/mapping type"],
      [["name"], "/mapping type"],
      [["name", "expires", "ignore", "ignore"], "/mapping type"],
      [["name", 1, "ignore"], "/mapping/1 choice"],
      [["name", "name", "colour"], "/mapping/1 repeated", "/mapping/2 choice"],
      [["name", "ignore", "notes"], "/mapping/2 secret"],
      [["ignore", "expires", "ignore"], "/mapping required"],
      [["name", "custom", "ignore"], "/mapping/1 reserved"],
    ] as const) {
      const refused = await refusal(client, "/api/imports", "POST", { uploadId, mapping });
      expect([mapping, refused]).toEqual([mapping, { status: 400, errors }]);
    }
  });
});

describe("/api/imports/:id", () => {
  test("is 404 where nobody has it, 409 where its state forbids it, 400 without a key or for no row", async (client) => {
    const path = `/api/imports/${NOBODY}`;
    const gone = { status: 404, errors: [] };
    expect(await refusal(client, path, "GET")).toEqual(gone);
    expect(await refusal(client, path, "PATCH", {})).toEqual(gone);
    expect(await refusal(client, path, "DELETE")).toEqual(gone);
    expect(await refusal(client, `${path}/rows`, "GET")).toEqual(gone);
    expect(await refusal(client, `${path}/undo`, "POST")).toEqual(gone);
    expect((await sendCommit(client, NOBODY)).status).toBe(404);

    const preview = await previewOf(client, "a.example\n");
    for (const [json, ...errors] of [
      [{}, "/skip type", "/skipped type"],
      [{ skip: { ids: ["1"] }, skipped: true }, "/skip/ids/0 type"],
      [{ skip: { class: "missing" }, skipped: true }, "/skip/class choice"],
      [{ skip: { class: "new" } }, "/skipped type"],
    ] as const) {
      const refused = await refusal(client, `/api/imports/${preview.id}/rows`, "PATCH", json);
      expect([json, refused]).toEqual([json, { status: 400, errors }]);
    }
    const taken = { status: 409, errors: [] };
    expect(await refusal(client, `/api/imports/${preview.id}/undo`, "POST")).toEqual(taken);
    const unkeyed = await client.post(`/api/imports/${preview.id}/commit`);
    expect([unkeyed.status, (await unkeyed.json()).detail]).toEqual([
      400,
      "/Idempotency-Key: Expected 1 to 200 visible ASCII characters, but got nothing",
    ]);
    const done = await importFile(client, "b.example\n");
    expect(await refusal(client, `/api/imports/${done.id}`, "PATCH", {})).toEqual(taken);
    expect(await refusal(client, `/api/imports/${done.id}`, "DELETE")).toEqual(taken);
  });
});
