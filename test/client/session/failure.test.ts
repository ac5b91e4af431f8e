import { describe, expect, test } from "bun:test";
import { HttpError } from "../../../src/client/http.ts";
import { explain, fieldErrors } from "../../../src/client/session/failure.tsx";

const request = { url: "/api/domains", method: "GET" };
const problem = {
  type: "about:blank",
  title: "Bad",
  status: 422,
  detail: "Two fields are wrong.",
  errors: [],
};

describe("explain", () => {
  test("tells the ways to fail apart", () => {
    const none = { status: 0, problem: null };
    const sentences = [
      new HttpError("network", request, none),
      new HttpError("timeout", request, none),
      new HttpError("parse", request, { status: 200, problem: null }),
      new HttpError("http", request, { status: 500, problem: null }),
    ].map(explain);
    expect(new Set(sentences).size).toBe(4);
    expect(sentences.at(-1)).toContain("server");
  });

  test("says of a 404 without a problem document that the answer is unexpected", () => {
    const error = new HttpError("http", request, { status: 404, problem: null });
    expect(explain(error)).toContain("unexpected answer");
  });

  test("does not excuse a bug", () => {
    const bug = new TypeError("undefined is not a function");
    expect(() => explain(bug)).toThrow(bug);
  });
});

describe("fieldErrors", () => {
  test("keeps the first complaint about each field", () => {
    const errors = [
      { pointer: "/email", code: "a", detail: "First" },
      { pointer: "/email", code: "b", detail: "Second" },
      { pointer: "/renewal/minor", code: "c", detail: "Third" },
    ];
    const error = new HttpError("http", request, { status: 422, problem: { ...problem, errors } });
    expect(fieldErrors(error)).toEqual({ email: "First", "renewal/minor": "Third" });
  });

  test("finds none where there are none", () => {
    expect(fieldErrors(new HttpError("http", request, { status: 422, problem }))).toEqual({});
    expect(fieldErrors(undefined)).toEqual({});
  });
});
