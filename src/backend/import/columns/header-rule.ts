import type { Field } from "./field.ts";
import type { HeaderTest } from "./header-test.ts";

/** What a header means where its test holds, see `HeaderMeaning`. */
export interface HeaderRule {
  means: Field | "spelling" | "known";
  strong: boolean;
  test: HeaderTest;
}

/** It names the field. */
export function strong(means: Field, test: HeaderTest): HeaderRule {
  return { means, strong: true, test };
}

/** It means the field where no strong one is there and the values agree. */
export function weak(means: Field, test: HeaderTest): HeaderRule {
  return { means, strong: false, test };
}

/** It is understood, and nothing that a domain of the register holds. */
export function known(test: HeaderTest): HeaderRule {
  return { means: "known", strong: false, test };
}

/** It is the name in another form. */
export function spelling(test: HeaderTest): HeaderRule {
  return { means: "spelling", strong: false, test };
}
