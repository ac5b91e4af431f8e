import { expect } from "bun:test";
import type { Import, ImportRow, Upload } from "../../src/shared/import.ts";
import type { ImportInput, RowChange } from "../../src/shared/import-input.ts";
import type { ApiClient } from "./api-client.ts";

/** The JSON of an answer, which must have this status. */
async function expectJson<T>(asked: Promise<Response>, status = 200): Promise<T> {
  const response = await asked;
  expect(response.status).toBe(status);
  return response.json();
}

export async function uploadFile(
  client: ApiClient,
  content: string | Uint8Array<ArrayBuffer> | Blob,
  name = "domains.csv",
): Promise<string> {
  const body = new FormData();
  body.append("file", new Blob([content]), name);
  const posted = client.request("/api/upload/post", { method: "POST", body });
  return (await expectJson<Upload>(posted, 201)).uploadId;
}

/** Uploads a file and makes its preview, which must succeed. Its registrar need not be known. */
export async function previewOf(
  client: ApiClient,
  content: string | Uint8Array<ArrayBuffer> | Blob,
  input: ImportInput = {},
  name?: string,
): Promise<Import> {
  const uploadId = await uploadFile(client, content, name);
  const json = { uploadId, ...input, defaults: { registrarUnknown: true, ...input.defaults } };
  return expectJson(client.post("/api/imports", json), 201);
}

export function changeImport(
  client: ApiClient,
  { id }: Pick<Import, "id">,
  json: ImportInput,
): Promise<Import> {
  return expectJson(client.patch(`/api/imports/${id}`, json));
}

/** Leaves rows of a preview out, or takes them in again, which must succeed. */
export function skipRows(
  client: ApiClient,
  { id }: Pick<Import, "id">,
  skip: RowChange["skip"],
  skipped = true,
): Promise<Import> {
  return expectJson(client.patch(`/api/imports/${id}/rows`, { skip, skipped }));
}

/** Sends a commit, under a key of its own unless one is given. */
export function sendCommit(
  client: ApiClient,
  id: string,
  key: string = crypto.randomUUID(),
): Promise<Response> {
  const headers = { "Idempotency-Key": key };
  return client.request(`/api/imports/${id}/commit`, { method: "POST", headers });
}

/** Commits a preview, again as often as it was stale: each time it says what it would do by then. */
export async function commitWhatIsNow(client: ApiClient, id: string): Promise<Response> {
  for (;;) {
    const response = await sendCommit(client, id);
    if (response.status !== 409) return response;
  }
}

export async function importFile(
  client: ApiClient,
  content: string | Uint8Array<ArrayBuffer> | Blob,
  input: ImportInput = {},
): Promise<Import> {
  const { id } = await previewOf(client, content, input);
  return expectJson(sendCommit(client, id));
}

export function undoImport(client: ApiClient, id: string): Promise<Import> {
  return expectJson(client.post(`/api/imports/${id}/undo`));
}

export async function listRows(client: ApiClient, id: string, query = ""): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  for (let after: string | null = ""; after !== null;) {
    const asked = client.request(`/api/imports/${id}/rows?${query}&after=${after}`);
    const page: { items: ImportRow[]; next: string | null } = await expectJson(asked);
    rows.push(...page.items);
    after = page.next;
  }
  return rows;
}
