import { afterEach, describe, expect, test } from "bun:test";
import { toValues } from "../../../../src/client/domains/domain-values.ts";
import { dropDraft, keepDraft, readDraft } from "../../../../src/client/domains/edit/draft.ts";
import { domainOf } from "../../../support/fake-api.ts";

afterEach(() => sessionStorage.clear());

describe("readDraft", () => {
  test("gives back what was kept, and nothing once it was dropped", () => {
    const base = domainOf("example.com", { owner: "Ada" });
    const draft = { base, values: { ...toValues(base), owner: "Grace" } };
    keepDraft(draft);
    expect(readDraft()).toEqual(draft);
    dropDraft();
    expect(readDraft()).toBeNull();
  });

  test.each(["", "{", "null", "[]", '{"base":{},"values":{}}', '{"base":null}'])(
    "finds none in %p",
    (text) => {
      sessionStorage.setItem("domain-draft", text);
      expect(readDraft()).toBeNull();
    },
  );

  test("drops fields that it does not know", () => {
    sessionStorage.setItem(
      "domain-draft",
      '{"base":null,"values":{"owner":7,"__proto__":1,"x":2}}',
    );
    expect(readDraft()).toEqual({ base: null, values: toValues(null) });
  });
});
