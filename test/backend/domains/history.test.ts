import { describe, expect } from "bun:test";
import { once as test, test as testBoth } from "../../support/owner-test.ts";
import { addDomain, deleteDomain, patchDomain } from "../../support/domains.ts";
import { readPages } from "../../support/read-pages.ts";

describe("GET /api/domains/:id/history", () => {
  test("tells newest first who changed what, even of a domain that is gone", async (client) => {
    const { id } = await addDomain(client, { name: "example.com", tags: ["a"] });
    await patchDomain(client, id, { expires: "2027-01-01", notes: "x" }, "*");
    await deleteDomain(client, id);
    expect(await client.json(`/api/domains/${id}/history`)).toMatchObject({
      next: null,
      items: [
        { action: "deleted", by: "ada@example.com" },
        {
          action: "edited",
          fields: [
            { field: "expires", before: null, after: { date: "2027-01-01", source: "manual" } },
            { field: "notes", before: "", after: "x" },
          ],
        },
        {
          action: "added",
          fields: [{ field: "name", before: null, after: "example.com" }, { field: "tags" }],
        },
      ],
    });
  });

  testBoth("comes in pages", async (client) => {
    const { id } = await addDomain(client, { name: "example.com" });
    for (const notes of ["1", "2", "3"]) await patchDomain(client, id, { notes }, "*");
    const path = `/api/domains/${id}/history`;
    const pages = await readPages<{ id: string }>(client, `${path}?limit=2`);
    const seen = pages.map(({ id: change }) => change);
    expect(new Set(seen).size).toBe(4);
    expect(seen).toEqual(seen.toSorted().toReversed());
    for (const query of ["limit=201", "limit=1&limit=9", "after=&after="]) {
      expect((await client.request(`${path}?${query}`)).status).toBe(400);
    }
  });
});
