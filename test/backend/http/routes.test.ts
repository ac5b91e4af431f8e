import { describe, expect, test } from "bun:test";
import { schemaOf } from "../../../src/shared/parse.ts";
import { startBackend } from "../../support/backend-server.ts";

await using server = await startBackend();
const { routes } = server.backend;

describe("every route", () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s says in JSON Schema what it takes and answers",
    (_, { query, body, answer }) => {
      if (query) expect(query.schema()).toBeObject();
      if (typeof body === "function") expect(schemaOf(body)).toBeObject();
      if (typeof answer === "function") expect(schemaOf(answer)).toBeObject();
    },
  );
});
