import * as p from "./parse.ts";
import { ACCOUNT_LIMITS } from "./accounts.ts";
import { limitedText, parseLabel, requiredLabel } from "./text.ts";

/** Values by the names of the registrar's fields; what is refused of one does not repeat it. */
const parseFields = p.record(
  p.mapped(limitedText({ max: ACCOUNT_LIMITS.field }), (given) => given.trim()),
);

/** `POST /api/accounts`. Unless `test` is false, the credentials are tried first: 422 where refused. */
export const parseAccountInput = p.exactObject({
  registrar: p.text,
  label: p.optional(parseLabel(ACCOUNT_LIMITS.label)),
  fields: parseFields,
  test: p.optional(p.boolean),
});

/** `PATCH /api/accounts/:id`, with If-Match. `fields` replaces all credentials; `on` tries again. */
export type AccountChange = p.Parsed<typeof parseAccountChange>;

export const parseAccountChange = p.exactObject({
  label: p.optional(
    requiredLabel(ACCOUNT_LIMITS.label, () => p.refuse("required", "Enter a label")),
  ),
  fields: p.optional(parseFields),
  state: p.optional(p.oneOf(["on", "paused"])),
});
