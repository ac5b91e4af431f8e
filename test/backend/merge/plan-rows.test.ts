import { describe, expect, test } from "bun:test";
import type { ImportValues } from "../../../src/shared/import.ts";
import { blankDomain } from "../../../src/backend/domains/write/write-domains.ts";
import { planRow } from "../../../src/backend/merge/plan-rows.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import type { Observation } from "../../../src/shared/domain-detail.ts";

const NAME = { name: "a.example", unicode: "a.example", tld: "example" };

/** What a row that says `values` would do to a domain; null: the register does not have it. */
function plan(
  values: ImportValues,
  domain: Partial<Domain> | null = {},
  {
    observations = [],
    own = false,
    fileName = "list.csv",
  }: { observations?: Observation[]; own?: boolean; fileName?: string } = {},
) {
  const before = domain && { ...blankDomain("id", NAME), ...domain };
  const spellings = {
    registrars: new Map([["godaddy", "GoDaddy"]]),
    tags: new Map([["client", "Client"]]),
    people: new Map([["ada", { id: "ada's", name: "Ada" }]]),
  };
  const row = { line: 2, name: NAME, values, problems: [], repeats: null };
  const source = { own, name: fileName };
  return planRow(row, { before, observations, setByHand: [], spellings, source });
}

const said = (source: string, date: string | null): Observation => ({
  source,
  date,
  observedAt: "2026-01-01T00:00:00.000Z",
});

const expiry = (source: string, date: string) => ({
  date,
  source,
  observedAt: "2026-01-01T00:00:00.000Z",
  conflict: false,
  alternatives: [],
});

describe("planRow", () => {
  test("gives a domain of one who cannot sign in to its new owner, and finds no fault", () => {
    const domain = { owner: "Ben Ltd", person: { id: "ben's", name: "Ben" } };
    const planned = plan({ owner: "Ada" }, domain);
    expect(planned.target?.after.person?.name).toBe("Ada");
    expect(planned.problems).toEqual([]);
    expect(plan({ person: "Dora" }, domain).problems).toMatchObject([
      { field: "person", code: "unknown-person" },
    ]);
    expect(plan({ person: "Ben" }, domain).problems).toEqual([]);
  });

  test("adds tags and takes none away; too many are not added, with a reason", () => {
    const domain = { tags: ["b"] };
    const planned = plan({ tags: ["c", "a"] }, domain);
    expect(planned.target?.after.tags).toEqual(["a", "b", "c"]);
    expect(planned.target?.addedTags.map(([, tag]) => tag)).toEqual(["a", "c"]);
    const full = { tags: Array.from({ length: 50 }, (_, index) => `t${index}`) };
    const refused = plan({ tags: ["more"], owner: "Pat" }, full);
    expect(refused.target?.after).toMatchObject({ tags: full.tags, owner: "Pat" });
    expect(refused.problems).toMatchObject([{ field: "tags", code: "too-many-tags" }]);
  });

  test("keeps the currency and years that a price does not name", () => {
    const before = { minor: 100, currency: "EUR", years: 2 };
    const values = { renewal: { minor: 150, currency: null, years: null } };
    const renewed = (renewal: Domain["renewal"]) => plan(values, { renewal }).target?.after.renewal;
    expect(renewed(before)).toEqual({ ...before, minor: 150 });
    // 150 was read in hundredths, which the yen has not.
    const none = { minor: 150, currency: null, years: 2 };
    expect(renewed({ ...before, currency: "JPY" })).toEqual(none);
  });

  test("notes what the registrar says only where it said something else before", () => {
    const values = { expires: "2027-01-05", registrar: "godaddy" };
    const observations = [said("GoDaddy", "2027-01-05")];
    const domain = { registrar: "GoDaddy", expires: expiry("GoDaddy", "2027-01-05") };
    const same = { class: "same", target: { reports: [] } };
    expect(plan(values, domain, { observations })).toMatchObject(same);
    const withdrawn = [...observations, said("GoDaddy", null)];
    const blank = { registrar: "GoDaddy", expires: null };
    const reports = [{ source: "GoDaddy", date: "2027-01-05" }];
    const changed = { class: "changed", target: { reports } };
    expect(plan(values, blank, { observations: withdrawn })).toMatchObject(changed);
  });

  test("leaves a pinned day alone, and notes that a registrar agrees with it", () => {
    const domain = { registrar: "GoDaddy", expires: expiry("manual", "2027-01-05") };
    const observations = [said("manual", "2027-01-05")];
    const planned = (expires: string) =>
      plan({ expires, registrar: "GoDaddy" }, domain, { observations });
    const agreeing = planned("2027-01-05");
    expect(agreeing.class).toBe("changed");
    expect(agreeing.changes).toEqual([{ field: "observation", before: null, after: "2027-01-05" }]);
    expect(planned("2028-01-05").target?.after.expires).toMatchObject({
      date: "2027-01-05",
      conflict: true,
    });
  });

  test("never lets a file pin a day or speak for a registry, whatever its registrar is called", () => {
    const sources = ["RDAP:rdap.verisign.com", "rdap-registrar:x.test", "whois:x.test"];
    for (const registrar of ["Manual", ...sources]) {
      const planned = plan({ expires: "2027-01-05", registrar }, null);
      expect(planned.target?.reports[0]?.source).toBe("list.csv");
    }
    const named = plan({ expires: "2027-01-05" }, null, { fileName: "MANUAL" });
    expect(named.target?.reports[0]?.source).toBe("file");
  });
});
