import { createHash } from "node:crypto";
import { connect } from "node:net";
import { describe, expect } from "bun:test";
import type { Upload } from "../../../src/shared/import.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { countRows, startBackend, type BackendServer } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import { readContent, saveUpload, sweepUploads } from "../../../src/backend/uploads/uploads.ts";

const PATH = "/api/upload/post";

/** The uploads of which there is anything, complete or not, by id. */
async function stored(server: BackendServer) {
  const uploads = await server.read(
    (sql) => sql<{ id: string; parts: number }[]>`
      select id, (select cast(count(*) as integer) from upload_parts
        where upload_id = uploads.id) as parts from uploads order by id`,
  );
  return [...uploads];
}

function contentOf(server: BackendServer, id: string): Promise<Buffer> {
  return server.read(async (sql) => Buffer.concat(await Array.fromAsync(readContent(sql, id))));
}

function form(...parts: [name: string, value: string | Blob, filename?: string][]): FormData {
  const data = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, filename);
  }
  return data;
}

function send(client: ApiClient, body: BodyInit, type?: string): Promise<Response> {
  const headers: Record<string, string> = type === undefined ? {} : { "Content-Type": type };
  return client.request(PATH, { method: "POST", body, headers });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(10);
}

describe("POST /api/upload/post", () => {
  test("stores the file under its id, whole and hashed", async (client) => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const content = Buffer.concat(Array.from({ length: 10 }, () => bytes));
    const body = form(["note", "hello"], ["file", new Blob([content]), "C:\\x\\größe.csv"]);
    const response = await send(client, body);
    expect(response.status).toBe(201);
    const upload: Upload = await response.json();
    expect(upload).toEqual({
      uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "größe.csv",
      bytes: 600_000,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
    expect(await stored(client.server)).toEqual([{ id: upload.uploadId, parts: 3 }]);
    expect((await contentOf(client.server, upload.uploadId)).equals(content)).toBe(true);
  });

  once("stores empty files, one after the other on one connection", async (client) => {
    for (let file = 1; file <= 3; file += 1) {
      const response = await send(client, form(["file", new Blob([]), "empty.csv"]));
      expect(response.status).toBe(201);
      const upload: Upload = await response.json();
      expect(upload).toMatchObject({ bytes: 0, name: "empty.csv" });
      expect(await contentOf(client.server, upload.uploadId)).toHaveLength(0);
    }
    expect(await stored(client.server)).toHaveLength(3);
  });

  const type = "multipart/form-data; boundary=b";
  const head = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  once(
    "refuses with 400 what holds no file or several, with 415 what is no form, and keeps nothing",
    async (client) => {
      const [one, two] = [new Blob(["1"]), new Blob(["2"])];
      const named = head.replace('filename="a.csv"', "filename*=UTF-8''%ff");
      const unreadable = "Expected a file name in percent-encoded UTF-8, but got another";
      for (const [what, body, contentType, detail] of [
        ["no file", form(["note", "x"])],
        ["two files", form(["file", one, "1"], ["file", two, "2"])],
        ["a file in another field", form(["image", one, "1"])],
        ["text in the field", form(["file", "x"])],
        ["nothing chosen", `--b\r\n${head.replace("a.csv", "")}\r\n\r\n\r\n--b--`, type],
        ["no closing boundary", `--b\r\n${head}\r\n\r\nhello\r\n`, type],
        ["a form of a hundred thousand parts", `--b\r\n\r\n\r\n`.repeat(80_000), type],
        ["no boundary parameter", `--b\r\n${head}\r\n\r\nhello\r\n--b--`, "multipart/form-data"],
        ["an unreadable name", `--b\r\n${named}\r\n\r\nhello\r\n--b--`, type, unreadable],
      ] as const) {
        const response = await send(client, body, contentType);
        const isProblem = response.headers.get("content-type") === "application/problem+json";
        expect([what, response.status, isProblem]).toEqual([what, 400, true]);
        const told: { detail: string } = await response.json();
        expect(told).toMatchObject({ detail: detail ?? expect.any(String) });
        expect([what, await stored(client.server)]).toEqual([what, []]);
      }
      for (const other of ["text/csv", "multipart/mixed; boundary=b", "multipart/form-datax"]) {
        expect([other, (await send(client, "--b--", other)).status]).toEqual([other, 415]);
      }
    },
  );

  once("refuses what is too large, announced or not, and keeps nothing", async () => {
    await using server = await startBackend({ maxUploadBytes: 100_000 });
    const client = await server.owner();
    const file = new Blob([new Uint8Array(100_000)]);
    expect((await send(client, form(["file", file, "x"]))).status).toBe(413);
    const multipart = new Response(form(["file", file, "x"]));
    const contentType = multipart.headers.get("content-type") ?? "";
    const chunked = new Blob([await multipart.arrayBuffer()]).stream();
    const answer = await send(client, chunked.pipeThrough(new TransformStream()), contentType);
    expect(answer.status).toBe(413);
    expect(await stored(server)).toEqual([]);
    const fits = new Blob([new Uint8Array(99_000)]);
    expect((await send(client, form(["file", fits, "x"]))).status).toBe(201);
  });

  once("keeps nothing of an upload that is broken off", async (client) => {
    const { port, hostname } = client.server.url;
    const cookie = [...client.cookies].map((pair) => pair.join("=")).join("; ");
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: ${client.server.url.host}\r\nCookie: ${cookie}\r\n` +
        `X-XSRF-TOKEN: ${client.cookies.get("XSRF-TOKEN")}\r\nContent-Type: ${type}\r\n` +
        `Content-Length: 900000\r\n\r\n--b\r\n${head}\r\n\r\n${"x".repeat(300_000)}`,
    );
    await until(async () => (await stored(client.server))[0]?.parts === 1);
    const json = { uploadId: (await stored(client.server))[0]?.id };
    expect((await client.post("/api/imports", json)).status).toBe(400);
    socket.destroy();
    await until(async () => (await stored(client.server)).length === 0);
  });
});

describe("cleaning up uploads", () => {
  test("deletes what is a day old, complete or not", async (client) => {
    const database = await client.server.openDatabase();
    await send(client, form(["file", new Blob(["old"]), "x"]));
    const [user] = await database.read((sql) => sql<{ id: string }[]>`select id from users`);
    void saveUpload(database, user?.id ?? "", () => new Promise(() => undefined));
    await until(async () => (await stored(client.server)).length === 2);
    const age = (hours: number) =>
      database.write(async (sql) => {
        const rows = await sql<{ id: string; at: string }[]>`
          select id, expires_at as at from uploads`;
        for (const { id, at } of rows) {
          const earlier = new Date(Date.parse(at) - hours * 60 * 60_000).toISOString();
          await sql`update uploads set expires_at = ${earlier} where id = ${id}`;
        }
      });
    await age(23.9);
    await sweepUploads(database);
    expect(await stored(client.server)).toHaveLength(2);
    await age(0.1);
    await sweepUploads(database);
    expect(await stored(client.server)).toEqual([]);
    expect(await countRows(client.server, "upload_parts")).toBe(0);
  });
});
