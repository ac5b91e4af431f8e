import { describe, expect, test } from "bun:test";
import { RequestError } from "../../../src/backend/http/request-error.ts";
import {
  boundaryOf,
  displayName,
  parsePartHeaders,
  readMultipart,
} from "../../../src/backend/uploads/multipart.ts";

interface Part {
  name: string | null;
  filename: string | null;
  text: string;
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 1 << 16, boundary = "b"): Promise<Part[]> {
  const parts: Part[] = [];
  const body = inPieces(Buffer.from(text, "latin1"), size);
  for await (const { headers, data } of readMultipart(body, boundary)) {
    const { name, filename } = headers;
    const part = { name, filename, text: "" };
    for await (const bytes of data) part.text += Buffer.from(bytes).toString("latin1");
    parts.push(part);
  }
  return parts;
}

const HEAD = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n';

describe("readMultipart", () => {
  const tricky = "\r\n--\r\n--a\r\n-\r\n--\r--b\n--b\r\n\r\n--B--\r\n";
  const body =
    `preamble\r\n--b\r\n${HEAD}Content-Type: text/csv\r\n\r\n${tricky}\r\n` +
    `--b \t\r\nContent-Disposition: form-data; name=note\r\n\r\n\r\n--b--\r\nepilogue`;

  test("finds the parts wherever the pieces are cut", async () => {
    for (let size = 1; size <= body.length; size += 1) {
      expect(await read(body, size)).toEqual([
        { name: "file", filename: "a.csv", text: tricky },
        { name: "note", filename: null, text: "" },
      ]);
    }
  });

  test("reads a part without headers, and a body without parts", async () => {
    const part = { name: null, filename: null, text: "x" };
    expect(await read("--b\r\n\r\nx\r\n--b--")).toEqual([part]);
    expect(await read("--b--")).toEqual([]);
  });

  test("reads every byte as it came", async () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));
    const [part] = await read(`--b\r\n${HEAD}\r\n${bytes.repeat(50)}\r\n--b--`, 77);
    expect(part?.text).toBe(bytes.repeat(50));
  });

  test.each([
    ["an empty body", ""],
    ["no boundary", "hello"],
    ["another boundary", "--c\r\n\r\nx\r\n--c--"],
    ["a first boundary inside a line", "x--b\r\n\r\nx\r\n--b"],
    ["no closing boundary", `--b\r\n${HEAD}\r\nx`],
    ["half a closing boundary", `--b\r\n${HEAD}\r\nx\r\n--b-`],
    ["headers without end", `--b\r\n${HEAD}`],
    ["headers too long", `--b\r\nX: ${"x".repeat(20_000)}\r\n\r\nx\r\n--b--`],
    ["headers that never end", `--b\r\n${"x".repeat(100_000)}`],
    ["text after a boundary", "--bc\r\n\r\nx\r\n--b--"],
    ["bare line feeds", `--b\n${HEAD}\nx\n--b--`],
  ])("refuses %s", async (_, text) => {
    await expect(read(text)).rejects.toBeInstanceOf(RequestError);
    await expect(read(text, 7)).rejects.toBeInstanceOf(RequestError);
  });
});

describe("boundaryOf", () => {
  test.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ['multipart/form-data; charset=utf-8; Boundary="a b:c"', "a b:c"],
    ["multipart/form-data;boundary=----WebKitFormBoundary7", "----WebKitFormBoundary7"],
    [`multipart/form-data; boundary=${"x".repeat(70)}`, "x".repeat(70)],
  ])("reads %s", (type, boundary) => expect(boundaryOf(type)).toBe(boundary));

  test.each([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="ends in a space "',
    `multipart/form-data; boundary=${"x".repeat(71)}`,
    "multipart/form-data; boundary=ümlaut",
    'multipart/form-data; boundary="a\r\nb"',
  ])("refuses %j", (type) => expect(boundaryOf(type)).toBeNull());
});

const parse = (parameters: string) =>
  parsePartHeaders(
    Buffer.from(`\r\nX-Other: name="no"\r\ncontent-disposition:form-data${parameters}`),
  );

describe("parsePartHeaders", () => {
  test.each([
    ['; name="file"; filename="a.csv"', "file", "a.csv"],
    ["; name=file; filename=a.csv", "file", "a.csv"],
    ['; filename="a;b.csv"; name="file"', "file", "a;b.csv"],
    ['; name="file"; filename="a\\"b.csv"', "file", 'a"b.csv'],
    ['; name="file"; filename="a%22b.csv"', "file", 'a"b.csv'],
    ['; name="file"; filename="größe.csv"', "file", "größe.csv"],
    ['; name="file"; filename="x"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.csv', "file", "größe.csv"],
    ['; name="file"; filename="x"; filename*=UTF-8\'\'%E0%A4%A', "file", "x"],
    ['; name="file"; name="other"; filename=""', "file", ""],
    ['; name="file"', "file", null],
    ["", null, null],
  ])("reads %s", (parameters, name, filename) => {
    expect(parse(parameters)).toEqual({ name, filename });
  });

  test.each(["UTF-8''%ff", "UTF-8''%", "ISO-8859-1''a.csv"])("refuses the name %s", (name) =>
    expect(() => parse(`; name="file"; filename*=${name}`)).toThrow("percent-encoded UTF-8"),
  );
});

describe("displayName", () => {
  test.each([
    ["a.csv", "a.csv"],
    ["../../etc/passwd", "passwd"],
    ["C:\\fakepath\\names.csv", "names.csv"],
    ["/absolute/", "upload"],
    ["..", "upload"],
    ["a\r\nb\u0000c\u202egpj.csv", "abcgpj.csv"],
    ["x".repeat(300), "x".repeat(255)],
  ])("makes %j harmless", (filename, name) => expect(displayName(filename)).toBe(name));
});
