import type { Config } from "./config/config.ts";

/** Seconds that a connection may be silent before it is closed. Bun looks only every four of them. */
export interface ConnectionTimeouts {
  /** Between two requests, within a request's head, and while a static response is not read. */
  idle: number;
  /** While the API makes or sends its response. */
  response: number;
  /** While a long body is being received. */
  upload: number;
}

/** A client that sends its head byte by byte is disconnected within 20 seconds. */
const IDLE_TIMEOUT = 15;

/** Added to the backend's timeout, so that its 504 still finds the connection open. */
const GRACE = 10;

/** The longest timeout that Bun takes. Its timer keeps running below 16 KB a second. */
const MAX_TIMEOUT = 255;

/** @returns Where a trusted proxy stands in front, the long idle timeout that its pool expects. */
export function createTimeouts(
  config: Pick<Config, "upstreamTimeout" | "trustProxy">,
): ConnectionTimeouts {
  const response = config.upstreamTimeout + GRACE;
  const idle = config.trustProxy ? response : IDLE_TIMEOUT;
  return { idle, response, upload: MAX_TIMEOUT };
}
