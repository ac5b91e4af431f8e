import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, setSystemTime, test } from "bun:test";
import type { Upload } from "../../../src/shared/upload.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { createBackend } from "../../../src/backend/backend.ts";

const PATH = "/api/upload/post";

function stored(server: BackendServer): string[] {
  return readdirSync(join(server.folder, "data", "uploads"));
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

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 200; tries += 1) await Bun.sleep(10);
  expect(condition()).toBe(true);
}

describe("POST /api/upload/post", () => {
  test("stores the file under its id, whole and hashed", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const body = form(["note", "hello"], ["file", new Blob([bytes, bytes]), "C:\\x\\größe.csv"]);
    const response = await send(client, body);
    expect(response.status).toBe(201);
    const upload: Upload = await response.json();
    const content = Buffer.concat([bytes, bytes]);
    expect(upload).toEqual({
      uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "größe.csv",
      bytes: 120_000,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
    expect(stored(server)).toEqual([upload.uploadId]);
    const file = readFileSync(join(server.folder, "data", "uploads", upload.uploadId));
    expect(file.equals(content)).toBe(true);
  });

  test("stores an empty file", async () => {
    await using server = await startBackend();
    const response = await send(await server.owner(), form(["file", new Blob([]), "empty.csv"]));
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ bytes: 0, name: "empty.csv" });
  });

  test("uses the connection again for what comes next", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    for (const text of ["a", "b", "c"]) {
      expect((await send(client, form(["file", new Blob([text]), "x"]))).status).toBe(201);
    }
    expect(stored(server)).toHaveLength(3);
  });

  const type = "multipart/form-data; boundary=b";
  const head = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  test.each([
    ["no file", form(["note", "x"]), undefined],
    ["two files", form(["file", new Blob(["1"]), "1"], ["file", new Blob(["2"]), "2"]), undefined],
    ["a file in another field", form(["image", new Blob(["1"]), "1"]), undefined],
    ["text in the field", form(["file", "x"]), undefined],
    ["nothing chosen", `--b\r\n${head.replace("a.csv", "")}\r\n\r\n\r\n--b--`, type],
    ["an empty body", "", type],
    ["no closing boundary", `--b\r\n${head}\r\n\r\nhello\r\n`, type],
    ["a form of a hundred thousand parts", `--b\r\n\r\n\r\n`.repeat(80_000), type],
    ["no boundary parameter", `--b\r\n${head}\r\n\r\nhello\r\n--b--`, "multipart/form-data"],
  ])("refuses %s with 400 and keeps nothing", async (_, body, contentType) => {
    await using server = await startBackend();
    const response = await send(await server.owner(), body, contentType);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(stored(server)).toEqual([]);
  });

  test("says that it is the name of a file which cannot be read", async () => {
    await using server = await startBackend();
    const named = head.replace('filename="a.csv"', "filename*=UTF-8''%ff");
    const body = `--b\r\n${named}\r\n\r\nhello\r\n--b--`;
    const response = await send(await server.owner(), body, type);
    expect(response.status).toBe(400);
    expect((await response.json()).detail).toBe(
      "Expected a file name in percent-encoded UTF-8, but got another",
    );
    expect(stored(server)).toEqual([]);
  });

  test("makes its folder anew when it was removed", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    rmSync(join(server.folder, "data", "uploads"), { recursive: true });
    const response = await send(client, form(["file", new Blob(["x"]), "x"]));
    expect(response.status).toBe(201);
    expect(stored(server)).toHaveLength(1);
  });

  test.each([
    "application/json",
    "multipart/mixed; boundary=b",
    "multipart/form-datax",
    "text/csv",
  ])("refuses %s with 415", async (contentType) => {
    await using server = await startBackend();
    expect((await send(await server.owner(), "--b--", contentType)).status).toBe(415);
  });

  test("refuses what is too large, announced or not, and keeps nothing", async () => {
    await using server = await startBackend({ maxUploadBytes: 100_000 });
    const client = await server.owner();
    const file = new Blob([new Uint8Array(100_000)]);
    expect((await send(client, form(["file", file, "x"]))).status).toBe(413);
    const multipart = new Response(form(["file", file, "x"]));
    const contentType = multipart.headers.get("content-type") ?? "";
    const chunked = new Blob([await multipart.arrayBuffer()]).stream();
    const answer = await send(client, chunked.pipeThrough(new TransformStream()), contentType);
    expect(answer.status).toBe(413);
    expect(stored(server)).toEqual([]);
    const fits = new Blob([new Uint8Array(99_000)]);
    expect((await send(client, form(["file", fits, "x"]))).status).toBe(201);
  });

  test("keeps nothing of an upload that is broken off", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const { port, hostname } = server.url;
    const cookie = [...client.cookies].map((pair) => pair.join("=")).join("; ");
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: ${server.url.host}\r\nCookie: ${cookie}\r\n` +
        `X-XSRF-TOKEN: ${client.cookies.get("XSRF-TOKEN")}\r\nContent-Type: ${type}\r\n` +
        `Content-Length: 500000\r\n\r\n--b\r\n${head}\r\n\r\n${"x".repeat(100_000)}`,
    );
    await until(() => stored(server).length === 1);
    expect(stored(server)[0]).toEndWith(".partial");
    socket.destroy();
    await until(() => stored(server).length === 0);
  });

  test("is closed to strangers and to forged requests", async () => {
    await using server = await startBackend();
    const body = form(["file", new Blob(["x"]), "x"]);
    expect((await send(server.visitor(), body)).status).toBe(401);
    const client = await server.owner();
    const headers = { "X-XSRF-TOKEN": "no" };
    expect((await client.request(PATH, { method: "POST", body, headers })).status).toBe(403);
    expect(stored(server)).toEqual([]);
  });
});

describe("cleaning up uploads", () => {
  test("removes at the next start what is a day old or left by a crash, and nothing else", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const response = await send(client, form(["file", new Blob(["old"]), "x"]));
    const { uploadId }: Upload = await response.json();
    const folder = join(server.folder, "data", "uploads");
    mkdirSync(folder, { recursive: true });
    const left = [`${Bun.randomUUIDv7()}.partial`, Bun.randomUUIDv7(), "notes.txt"];
    const fresh = `${Bun.randomUUIDv7()}.partial`;
    for (const name of [...left, fresh]) writeFileSync(join(folder, name), "x");
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    for (const name of [...left, uploadId]) utimesSync(join(folder, name), longAgo, longAgo);

    const restart = async () => {
      const { databaseUrl } = server;
      const options = { databaseUrl, uploadDirectory: folder, setupCode: null, maxUploadBytes: 1 };
      await (await createBackend(options)).close();
      return stored(server).toSorted();
    };
    expect(await restart()).toEqual([uploadId, fresh, "notes.txt"].toSorted());
    try {
      setSystemTime(Date.now() + 25 * 60 * 60_000);
      expect(await restart()).toEqual(["notes.txt"]);
    } finally {
      setSystemTime();
    }
  });
});
