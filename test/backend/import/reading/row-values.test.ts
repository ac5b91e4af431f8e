import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../../../src/shared/text.ts";
import {
  readHosts,
  readLabel,
  readTags,
  readText,
} from "../../../../src/backend/import/reading/row-values.ts";

const readNotes = (cell: string, own: boolean) => readText(cell, own, LIMITS.notes);

const REASON = { reason: expect.stringContaining("control characters") };

describe.each([
  ["readLabel", readLabel],
  ["readNotes", readNotes],
  ["readTags", readTags],
])("%s", (_, read) => {
  test("gives a reason against control characters", () => {
    expect(read("a\0", true)).toEqual(REASON);
    expect(read("a\0", false)).toEqual(REASON);
  });

  test.each(["", " ", "\u200b", " \u2060\u00ad"])("takes %j for nothing", (cell) => {
    expect(read(cell, true)).toBeNull();
    expect(read(cell, false)).toBeNull();
  });
});

test.each(["\u202eevil", "a\u2066b\u2069"])(
  "marks of the writing direction are refused in labels and kept in notes: %j",
  (cell) => {
    for (const own of [true, false]) {
      expect(readLabel(cell, own)).toEqual(REASON);
      expect(readTags(cell, own)).toEqual(REASON);
      expect(readNotes(cell, own)).toBe(cell);
    }
  },
);

test("readLabel bounds a label as it is compared", () => {
  expect(readLabel("\ufdfa".repeat(11), false)).toBe("\ufdfa".repeat(11));
  expect(readLabel("\ufdfa".repeat(12), false)).toEqual({
    reason: expect.stringContaining("at most 200 characters"),
  });
  // Normalising so many marks would take minutes.
  expect(readLabel("a\u0301\u0316".repeat(60_000), false)).toEqual({
    reason: expect.stringContaining("at most 200 characters"),
  });
});

describe("readHosts", () => {
  test.each([
    ["ns1.hoster.example ns2.hoster.example", ["ns1.hoster.example", "ns2.hoster.example"]],
    ["NS1.Hoster.example. | ns2.hoster.example", ["ns1.hoster.example", "ns2.hoster.example"]],
    ["NS: ns1.hoster.example, ns1.hoster.example", ["ns1.hoster.example"]],
    ["ns1.a.example/192.0.2.1;ns2.a.example", ["ns1.a.example", "ns2.a.example"]],
  ])("reads %j", (cell, hosts) => expect(readHosts(cell)).toEqual(hosts));

  test.each(["", " - ", "N/A"])("takes %j for nothing", (cell) =>
    expect(readHosts(cell)).toBeNull(),
  );

  test.each(["default servers", "192.0.2.1", "x".repeat(100_000)])("refuses %p", (cell) =>
    expect(readHosts(cell)).toEqual({ reason: "These aren’t nameservers" }),
  );
});
