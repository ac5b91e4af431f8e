import type { Api } from "../shared/api.ts";
import { refuse } from "./static/plain-answers.ts";

/** Paths that a supervisor asks for: `/healthz` whether the process is up, `/readyz` whether it can work. */
const QUESTIONS = new Set(["/healthz", "/readyz"]);

export function isHealthQuestion(path: string): boolean {
  return QUESTIONS.has(path);
}

/** Answers with a word of plain text; 503 where the database or the backend cannot be reached. */
export async function answerHealth(api: Api, { method }: Request, path: string): Promise<Response> {
  if (method !== "GET" && method !== "HEAD")
    return refuse(405, "This can only be read.", { Allow: "GET, HEAD" });
  if (path === "/healthz") return refuse(200, "up");
  return (await api.ready()) ? refuse(200, "ready") : refuse(503, "not ready");
}
