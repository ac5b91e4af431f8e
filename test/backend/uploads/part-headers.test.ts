import { describe, expect, test } from "bun:test";
import { displayName, parsePartHeaders } from "../../../src/backend/uploads/multipart.ts";

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
