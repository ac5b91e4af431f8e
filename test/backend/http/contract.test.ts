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
  for (const parameter of paths["/api/domains"].get.parameters) parameter.required = true;
  delete components.schemas.Domain.properties.notes;
  components.schemas.Domain.properties.version.type = "string";
  components.schemas.Money.required = ["minor"];
  paths["/api/domains"].post.requestBody.content["application/json"].schema.required.push("notes");
  const domain = "GET /api/domains 200 application/json/items/*";
  expect(takenAway({ kept, now })).toEqual(
    expect.arrayContaining([
      "GET /api/audit",
      "POST /api/tokens",
      "POST /api/views 201",
      "GET /api/domains query tag",
      `${domain}/notes`,
      `${domain}/version type`,
      "GET /api/costs 200 application/json/sales/*/sold/currency required",
      "POST /api/domains application/json/notes required",
    ]),
  );
});
