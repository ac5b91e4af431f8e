import { useState } from "react";
import type { Domain, DomainInput } from "../../contract.ts";
import { HttpError } from "../../http.ts";
import { explain } from "../../session/explain.ts";
import { editDomain, parseDomain } from "../domains-api.ts";

/** Where the outcome of a change goes. */
export interface Outcome {
  onSaved: (domain: Domain) => void;
  /** Somebody was quicker: what is there now. */
  onNewer: (domain: Domain) => void;
}

/**
 * Changes single fields of a name at once, without a form. `wished` is what was asked for as long as
 * the answer is on its way, and can be shown as if it were so; `problem` says why it did not come.
 */
export function useQuickChange(domain: Domain, { onSaved, onNewer }: Outcome) {
  const [wished, setWished] = useState<DomainInput>();
  const [problem, setProblem] = useState<string>();

  async function change(input: DomainInput) {
    if (wished) return;
    setWished(input);
    setProblem(undefined);
    try {
      onSaved(await editDomain(domain, input));
    } catch (error) {
      const { status, problem: answer } = error instanceof HttpError ? error : {};
      if (status === 412 && answer?.current) {
        onNewer(parseDomain(answer.current));
        setProblem(
          "Somebody changed this name meanwhile. This is what it is now: decide once more.",
        );
        // With 401 the sign-in form comes: there is nothing to say.
      } else if (status !== 401) setProblem(explain(error));
    } finally {
      setWished(undefined);
    }
  }

  return { wished, problem, change };
}
