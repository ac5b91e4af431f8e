import { describe, expect, test } from "bun:test";
import { HttpError } from "../../../src/client/http.ts";
import { editDomain } from "../../../src/client/register/domain-change.ts";
import { listDomains } from "../../../src/client/register/domains-api.ts";
import { localToday } from "../../../src/client/ui/format.ts";
import { domainOf, fakeApi, pageOf } from "../../support/fake-api.ts";

const api = fakeApi();
const domain = domainOf("example.com", { id: "a/b", version: 7 });

describe("listDomains", () => {
  test("reads a page", async () => {
    api.answer = () => pageOf([domain], "cursor", 12);
    const page = await listDomains("q=x", 100, 200, new AbortController().signal);
    expect(page).toEqual({ items: [domain], next: "cursor", total: 12 });
    expect(String(api.calls[0]?.query)).toBe(`q=x&limit=100&today=${localToday()}&offset=200`);
  });

  test("refuses another shape", async () => {
    api.answer = () => Response.json({ items: [{ id: 1 }], next: null, total: 1 });
    const error = await listDomains("", 100, 0, new AbortController().signal).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ kind: "parse" });
  });
});

describe("editDomain", () => {
  test("names the version that it edits", async () => {
    api.answer = () => Response.json(domain);
    await editDomain(domain, { owner: "Ada" });
    const call = api.sent("PATCH /api/domains/a%2Fb")[0];
    expect(call?.headers.get("If-Match")).toBe('"7"');
    expect(call?.body).toEqual({ owner: "Ada" });
  });
});
