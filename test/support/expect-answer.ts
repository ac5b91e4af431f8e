import { expect } from "bun:test";

/** Expects an answer with a status, whose text has these words in it; returns the text. */
export async function expectAnswer(
  asked: Response | Promise<Response>,
  status: number,
  words: string,
): Promise<string> {
  const answer = await asked;
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, expect.stringContaining(words)]);
  return text;
}
