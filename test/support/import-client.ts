import { expect } from "bun:test";
import type { Import, ImportRow, Upload } from "../../src/shared/import.ts";
import type { ImportInput, RowChange } from "../../src/shared/import-input.ts";
import type { ApiClient } from "./api-client.ts";

export async function uploadFile(
  client: ApiClient,
  content: string | Uint8Array<ArrayBuffer> | Blob,
  name = "domains.csv",
): Promise<string> {
  const body = new FormData();
  body.append("file", new Blob([content]), name);
  const response = await client.request("/api/upload/post", { method: "POST", body });
  expect(response.status).toBe(201);
  const upload: Upload = await response.json();
  return upload.uploadId;
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
  const response = await client.post("/api/imports", json);
  expect(response.status).toBe(201);
  return response.json();
}

export async function changeImport(
  client: ApiClient,
  { id }: Pick<Import, "id">,
  json: ImportInput,
): Promise<Import> {
  const response = await client.patch(`/api/imports/${id}`, json);
  expect(response.status).toBe(200);
  return response.json();
}

/** Leaves rows of a preview out, or takes them in again, which must succeed. */
export async function skipRows(
  client: ApiClient,
  { id }: Pick<Import, "id">,
  skip: RowChange["skip"],
  skipped = true,
): Promise<Import> {
  const response = await client.patch(`/api/imports/${id}/rows`, { skip, skipped });
  expect(response.status).toBe(200);
  return response.json();
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
  const response = await sendCommit(client, id);
  expect(response.status).toBe(200);
  return response.json();
}

export async function undoImport(client: ApiClient, id: string): Promise<Import> {
  const response = await client.post(`/api/imports/${id}/undo`);
  expect(response.status).toBe(200);
  return response.json();
}

export async function listRows(client: ApiClient, id: string, query = ""): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  for (let after: string | null = ""; after !== null;) {
    const response: Response = await client.request(
      `/api/imports/${id}/rows?${query}&after=${after}`,
    );
    expect(response.status).toBe(200);
    const page: { items: ImportRow[]; next: string | null } = await response.json();
    rows.push(...page.items);
    after = page.next;
  }
  return rows;
}
