import { refuse } from "../static/plain-answers.ts";

/** The one version there is: RFC 6455 §4.1. */
const VERSION = "13";

/** 16 bytes in base64. */
const KEY = /^[\da-z+/]{22}==$/i;

/**
 * Whether a request asks to become a WebSocket: RFC 6455 §4.1. A request for any other protocol is an
 * ordinary one, whose `Upgrade` is ignored, as RFC 9110 §7.8 allows: nothing is ever switched to it.
 */
export function isWebSocketHandshake({ method, headers }: Request): boolean {
  return (
    method === "GET" &&
    headers.get("upgrade")?.trim().toLowerCase() === "websocket" &&
    lists(headers, "connection", "upgrade")
  );
}

/** What a handshake that cannot be completed is told; null where it can be: RFC 6455 §4.2.2. */
export function refuseHandshake({ headers }: Request): Response | null {
  if (headers.get("sec-websocket-version")?.trim() !== VERSION) {
    return refuse(426, "Expected a WebSocket of version 13.", {
      Connection: "upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": VERSION,
    });
  }
  if (KEY.test(headers.get("sec-websocket-key") ?? "")) return null;
  return refuse(400, "Expected a Sec-WebSocket-Key of 16 bytes.");
}

/** The subprotocols that a client offers, in its order. */
export function offeredProtocols(headers: Headers): string[] {
  const offered = headers.get("sec-websocket-protocol")?.split(",") ?? [];
  return offered.map((name) => name.trim()).filter((name) => name !== "");
}

function lists(headers: Headers, name: string, token: string): boolean {
  const members = headers.get(name)?.toLowerCase().split(",") ?? [];
  return members.some((member) => member.trim() === token);
}
