import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, property, string, tuple } from "fast-check";
import { writeRequestHead } from "../../../src/server/proxy/request-head.ts";

const line = { method: "POST", target: "/api/x?y=%20", host: "backend:8080" };

describe("writeRequestHead", () => {
  test.each([
    ["no content", null, []],
    ["an empty one", 0, ["content-length: 0"]],
    ["a length", 17, ["content-length: 17"]],
    ["chunks", "chunked", ["transfer-encoding: chunked"]],
  ] as const)("frames %s", (_, framing, expected) => {
    const head = writeRequestHead(line, [["x-a", "1"]], framing);
    expect(head.split("\r\n")).toEqual([
      "POST /api/x?y=%20 HTTP/1.1",
      "host: backend:8080",
      "x-a: 1",
      ...expected,
      "",
      "",
    ]);
  });

  test.each(["a\r\nHost: b", "a\rb", "a\nb", "a\0b", "a\x7fb", "a\u010ab"])(
    "refuses a value that would not stay on its line: %j",
    (value) => {
      expect(() => writeRequestHead(line, [["x-a", value]], null)).toThrow("x-a");
    },
  );

  test.each(["", "x", "http://a/", "/a b", "/a\r\nb", "/a\0", "/\xe9", "/\u010a"])(
    "refuses a path that would end the request line: %j",
    (target) => {
      expect(() => writeRequestHead({ ...line, target }, [], null)).toThrow("path");
    },
  );

  test("never writes more lines than it was given", () => {
    const headers = array(tuple(constantFrom("x-a", "x-b"), string({ unit: "binary" })));
    assert(
      property(headers, (some) => {
        let head;
        try {
          head = Buffer.from(writeRequestHead(line, some, 5), "latin1").toString("latin1");
        } catch {
          return;
        }
        expect(head.split(/[\r\n]+/)).toHaveLength(some.length + 4);
      }),
    );
  });
});
