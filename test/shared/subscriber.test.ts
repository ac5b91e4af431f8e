import { describe, expect, test } from "bun:test";
import { subscriberOf } from "../../src/shared/api.ts";

describe("subscriberOf", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::9", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1", "fe80:0:0:0"],
    ["", ""],
  ])("takes %s for %s", (address, subscriber) => expect(subscriberOf(address)).toBe(subscriber));
});
