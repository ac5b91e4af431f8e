import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBackend } from "../../support/backend-server.ts";
import { takenAway } from "../../support/contract-change.ts";

/** The API as version 1.0 described it: later ones only add to it. */
async function keptContract() {
  const packed = await Bun.file(join(import.meta.dir, "../../data/open-api-1.0.json.gz")).bytes();
  return JSON.parse(new TextDecoder().decode(Bun.gunzipSync(packed)));
}

test("the API has all that it had in 1.0", async () => {
  await using server = await startBackend();
  const now = await server.visitor().json("/api/openapi.json");
  expect(takenAway({ kept: await keptContract(), now })).toEqual([]);
});

test("what is taken away, newly demanded or of another type is found", async () => {
  const kept = await keptContract();
  const now = structuredClone(kept);
  const { paths, components } = now;
  delete paths["/api/audit"];
  delete paths["/api/tokens"].post;
  delete paths["/api/views"].post.responses["201"];
  const { parameters } = paths["/api/domains"].get;
  parameters.find(({ name }: { name: string }) => name === "tag").required = true;
  delete components.schemas.Domain.properties.notes;
  components.schemas.Domain.properties.version.type = "string";
  const money = components.schemas.Money;
  money.required = money.required.filter((name: string) => name !== "currency");
  paths["/api/domains"].post.requestBody.content["application/json"].schema.required.push("notes");
  const found = takenAway({ kept, now });
  const first = (path: string) => found.filter((fault) => fault.startsWith(path));
  expect(first("GET /api/audit")).toEqual(["GET /api/audit"]);
  expect(first("POST /api/tokens")).toEqual(["POST /api/tokens"]);
  expect(first("POST /api/views")).toEqual(["POST /api/views 201"]);
  expect(first("GET /api/domains ")).toContain("GET /api/domains query tag");
  const domain = "GET /api/domains 200 application/json/items/*";
  expect(found).toContain(`${domain}/notes`);
  expect(found).toContain(`${domain}/version type`);
  expect(first("POST /api/domains ")).toContain(
    "POST /api/domains application/json/notes required",
  );
  expect(found.some((fault) => fault.endsWith("/currency required"))).toBe(true);
});
