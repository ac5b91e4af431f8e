import { describe, expect, test } from "bun:test";
import { parseFlag } from "../../../../src/backend/import/values/cell-shapes.ts";

const ON =
  "yes|Yes|YES|y|on|ON|true|TRUE|1|enabled|active|auto|automatic|ja|Oui|sí|Sí|sì|si|sim|vero|aan|ein|activé|" +
  "auto renew|Auto-Renew|tak|włączone|オン|有効";
const OFF =
  "no|No|n|off|OFF|false|0|disabled|inactive|manual|nein|Non|não|nee|uit|aus|manuell|désactivé|do not renew|" +
  "Don't renew|manual renewal|No auto-renew|Ne pas renouveler|AUTOEXPIRE|nie|Wyłączone|しない|無効|manuel|no renew option";

describe("parseFlag", () => {
  test.each([
    [ON, true],
    [OFF, false],
    ["|  |-|N/A|unknown", null],
  ])("reads each of %j as %p", (cells, flag) => {
    for (const cell of cells.split("|")) expect([cell, parseFlag(cell)]).toEqual([cell, flag]);
  });

  test.each(["pending", "maybe", "2", "yes and no", "offline", "yes".repeat(10_000), "=TRUE()"])(
    "does not take %j for off",
    (cell) => expect(parseFlag(cell)).toHaveProperty("reason"),
  );
});
