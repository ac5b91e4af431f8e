import { describe, expect, test } from "bun:test";
import { readPeer } from "../../src/server/peer.ts";

const claims = new Headers({
  "X-Forwarded-For": "6.6.6.6, 203.0.113.9",
  "X-Forwarded-Proto": "http, https",
});

describe("readPeer", () => {
  test("believes nobody by default", () => {
    expect(readPeer(claims, "10.0.0.1", { tls: false, trustProxy: false })).toEqual({
      address: "10.0.0.1",
      secure: false,
      remoteAddress: "10.0.0.1",
    });
  });

  test("believes what a trusted proxy saw, not what its client claimed", () => {
    expect(readPeer(claims, "10.0.0.1", { tls: false, trustProxy: true })).toEqual({
      address: "203.0.113.9",
      secure: true,
      remoteAddress: "10.0.0.1",
    });
  });

  test("goes by the connection where a trusted proxy says nothing", () => {
    expect(readPeer(new Headers(), "10.0.0.1", { tls: true, trustProxy: true })).toEqual({
      address: "10.0.0.1",
      secure: true,
      remoteAddress: "10.0.0.1",
    });
  });
});
