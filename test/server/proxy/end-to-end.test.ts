import { describe, expect, test } from "bun:test";
import { isEndToEnd } from "../../../src/server/proxy/end-to-end.ts";

const kept = (names: string[], connection = "") =>
  names.filter((name) => isEndToEnd(name, connection));

describe("isEndToEnd", () => {
  test("drops what describes the connection", () => {
    const names =
      "connection keep-alive proxy-connection te trailer transfer-encoding upgrade alt-svc accept";
    expect(kept(names.split(" "), "keep-alive")).toEqual(["accept"]);
  });

  test("drops what Connection names", () => {
    expect(kept(["x-one", "x-two", "x-three"], "close, X-One ,x-two")).toEqual(["x-three"]);
  });

  test("keeps what the message cannot do without, even where Connection names it", () => {
    const names = ["authorization", "content-length", "content-type", "cookie", "host"];
    expect(kept([...names, "set-cookie"], `${names.join(", ")}, Set-Cookie`)).toEqual([
      ...names,
      "set-cookie",
    ]);
  });
});
