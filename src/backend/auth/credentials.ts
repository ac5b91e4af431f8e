import type { FieldProblem } from "../../shared/contract.ts";
import { Fields } from "../http/fields.ts";
import { PASSWORD_LENGTH } from "./password.ts";

/** A checked body of `POST /api/token`: `setUpCode` is null where somebody signs in. */
export interface CheckedCredentials {
  setUpCode: string | null;
  email: string;
  password: string;
}

/** RFC 5321 §4.5.3.1 leaves 254 characters; what is before and after the @ is not judged. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const MAX_EMAIL = 254;
const MAX_CODE = 200;

/**
 * Checks the body. E-mail addresses are compared trimmed, composed and in lower case. Only a new
 * password has to be 12 characters long; none may have more than 256, which bounds what is hashed.
 */
export function parseCredentials(json: unknown): CheckedCredentials | FieldProblem[] {
  const fields = new Fields(json, ["setUpCode", "email", "password"]);
  const settingUp = fields.has("setUpCode");
  const email = readEmail(fields);
  const password = fields.text("password", { max: PASSWORD_LENGTH.max });
  const least = settingUp ? PASSWORD_LENGTH.min : 1;
  if (password !== null && [...password.normalize("NFC")].length < least) {
    // What came is not repeated: it is a password.
    fields.refuse("password", "length", `Expected at least ${least} characters, but got fewer`);
  }
  const setUpCode = settingUp ? fields.text("setUpCode", { max: MAX_CODE }) : null;
  if (fields.problems.length > 0) return fields.problems.map(withoutSecret);
  return { setUpCode, email: email ?? "", password: password ?? "" };
}

function readEmail(fields: Fields): string | null {
  const email = fields.text("email", { max: MAX_EMAIL })?.normalize("NFC").trim().toLowerCase();
  if (email === undefined || EMAIL.test(email)) return email ?? null;
  return fields.refuse("email", "email", "Expected an address such as ada@example.com");
}

/** A secret of the wrong type, too, must not come back in an answer or end up in a log. */
function withoutSecret(problem: FieldProblem): FieldProblem {
  if (problem.code !== "type" || problem.pointer === "/email") return problem;
  return { ...problem, detail: problem.detail.replace(/, but got .*$/s, "") };
}
