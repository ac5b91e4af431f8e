import { expect } from "bun:test";
import { OperatorError } from "../../src/shared/log.ts";

/** Does what the operator has to put right, and returns what they read. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OperatorError);
  return error instanceof Error ? error.message : "";
}
