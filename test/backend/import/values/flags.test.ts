import { describe, expect, test } from "bun:test";
import { parseFlag } from "../../../../src/backend/import/values/cell-shapes.ts";

describe("parseFlag", () => {
  test.each(
    "yes Yes YES y on ON true TRUE 1 enabled active auto automatic ja Oui sí Sí si sim vero aan ein activé".split(
      " ",
    ),
  )("reads %s as on", (cell) => expect(parseFlag(cell)).toBe(true));

  test.each(
    "no No n off OFF false 0 disabled inactive manual nein Non não nee uit aus manuell désactivé".split(
      " ",
    ),
  )("reads %s as off", (cell) => expect(parseFlag(cell)).toBe(false));

  test.each([
    ["auto renew", true],
    ["Auto-Renew", true],
    ["do not renew", false],
    ["Don't renew", false],
    ["manual renewal", false],
    ["No auto-renew", false],
    ["Ne pas renouveler", false],
    ["AUTOEXPIRE", false],
    ["tak", true],
    ["nie", false],
    ["włączone", true],
    ["Wyłączone", false],
    ["オン", true],
    ["しない", false],
  ])("reads %j as %p", (cell, flag) => expect(parseFlag(cell)).toBe(flag));

  test.each(["", "  ", "-", "N/A", "unknown"])("reads %j as nothing said", (cell) =>
    expect(parseFlag(cell)).toBeNull(),
  );

  test.each(["pending", "maybe", "2", "yes and no", "offline", "yes".repeat(10_000), "=TRUE()"])(
    "does not take %j for off",
    (cell) => expect(parseFlag(cell)).toHaveProperty("reason"),
  );
});
