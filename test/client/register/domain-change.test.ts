import { describe, expect, test } from "bun:test";
import { editDomain } from "../../../src/client/register/domain-change.ts";
import { domainOf, fakeApi } from "../../support/fake-api.ts";

const api = fakeApi();
const domain = domainOf("example.com", { id: "a/b", version: 7 });

describe("editDomain", () => {
  test("names the version that it edits", async () => {
    api.answer = () => Response.json(domain);
    await editDomain(domain, { owner: "Ada" });
    const call = api.sent("PATCH /api/domains/a%2Fb")[0];
    expect(call?.headers.get("If-Match")).toBe('"7"');
    expect(call?.body).toEqual({ owner: "Ada" });
  });
});
