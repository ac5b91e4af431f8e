import {
  boolean,
  exactObject,
  mapped,
  oneOf,
  optional,
  record,
  refuse,
  text,
  type Parsed,
} from "./parse.ts";
import { ACCOUNT_LIMITS } from "./accounts.ts";
import { limitedText, parseLabel, requiredLabel } from "./text.ts";

/** Values by the names of the registrar's fields; what is refused of one does not repeat it. */
const parseFields = record(
  mapped(limitedText({ max: ACCOUNT_LIMITS.field }), (given) => given.trim()),
);

/** `POST /api/accounts`. Unless `test` is false, the credentials are tried first: 422 where refused. */
export const parseAccountInput = exactObject({
  registrar: text,
  label: optional(parseLabel(ACCOUNT_LIMITS.label)),
  fields: parseFields,
  test: optional(boolean),
});

/** `PATCH /api/accounts/:id`, with If-Match. `fields` replaces all credentials; `on` tries again. */
export type AccountChange = Parsed<typeof parseAccountChange>;

export const parseAccountChange = exactObject({
  label: optional(
    requiredLabel(ACCOUNT_LIMITS.label, () => refuse("required", "Enter what it is called")),
  ),
  fields: optional(parseFields),
  state: optional(oneOf(["on", "paused"])),
});
