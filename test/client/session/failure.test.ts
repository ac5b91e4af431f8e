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
    const said = (kind: HttpError["kind"], status: number) =>
      explain(new HttpError(kind, request, { status, problem: null }));
    expect(said("network", 0)).toContain("Can’t reach the server");
    expect(said("timeout", 0)).toContain("too long");
    expect(said("parse", 200)).toContain("unexpected answer");
    expect(said("http", 404)).toContain("unexpected answer");
    expect(said("http", 500)).toContain("wrong on the server");
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
