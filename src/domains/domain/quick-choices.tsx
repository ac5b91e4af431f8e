import type { Domain } from "../../contract.ts";
import { Notice } from "../../ui/notice.tsx";
import { decisions } from "../domains-api.ts";
import { type Outcome, useQuickChange } from "./use-quick-change.ts";

/**
 * What is decided about a name with one choice each. It shows at once, for nothing but a newer
 * version or a lost connection can refuse it, and goes back, saying so, where it is not saved.
 */
export function QuickChoices({ domain, ...outcome }: Outcome & { domain: Domain }) {
  const { wished, problem, change } = useQuickChange(domain, outcome);
  const { decision, autoRenew } = { ...domain, ...wished };
  return (
    <>
      <label className="domain-choice">
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
      <label className="domain-choice">
        Auto-renew{" "}
        <select
          className={autoRenew === false ? "control off" : "control"}
          value={String(autoRenew ?? "")}
          onChange={({ target }) =>
            void change({ autoRenew: target.value === "" ? null : target.value === "true" })
          }
        >
          <option value="">unknown</option>
          <option value="true">on</option>
          <option value="false">off</option>
        </select>
      </label>
      {problem && <Notice>{problem}</Notice>}
    </>
  );
}
