import type { Domain } from "../../contract.ts";
import { Notice } from "../../ui/notice.tsx";
import { decisions } from "../domains-api.ts";
import { type Outcome, useQuickChange } from "./use-quick-change.ts";

/** Decides about a name with one choice. It shows at once, and goes back where it is not saved. */
export function Decide({ domain, ...outcome }: Outcome & { domain: Domain }) {
  const { wished, problem, change } = useQuickChange(domain, outcome);
  const decision = wished ? wished.decision : domain.decision;
  return (
    <>
      <label className="domain-decide">
        Decision{" "}
        <select
          className="control"
          value={decision ?? ""}
          onChange={({ target }) =>
            void change({ decision: decisions.find((each) => each === target.value) ?? null })
          }
        >
          <option value="">open</option>
          {decisions.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {problem && <Notice>{problem}</Notice>}
    </>
  );
}
