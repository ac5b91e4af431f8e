import type { Config } from "./config/config.ts";

/** Seconds that a connection may be silent before it is cut. Bun looks only every four of them. */
export interface Patience {
  /** Between two requests, within a head, and while a file is not taken. */
  idle: number;
  /** While the API makes an answer or sends it. */
  answer: number;
  /** Within a long upload. */
  upload: number;
}

/** What a visitor's connection is given: one that drips its head is gone within 20 seconds. */
const IDLE = 15;

/** What the backend's own timeout is given to answer before the connection is cut. */
const GRACE = 10;

/** The longest that Bun can wait. Its own clock runs on below 16 KB a second. */
const LONGEST = 255;

/** A proxy of ours keeps its connections for its visitors, and none of them drips. */
export function createPatience({
  upstreamTimeout,
  trustProxy,
}: Pick<Config, "upstreamTimeout" | "trustProxy">): Patience {
  const answer = upstreamTimeout + GRACE;
  return { idle: trustProxy ? answer : IDLE, answer, upload: LONGEST };
}
