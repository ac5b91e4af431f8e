import type { Domain } from "../../../shared/contract.ts";
import { Notice } from "../../ui/notice.tsx";
import { decisions } from "../../../shared/domain-json.ts";
import type { Quick } from "./use-quick-change.ts";

/**
 * What is decided about a name with one choice each. It shows at once, for nothing but a newer
 * version or a lost connection can refuse it, and goes back, saying so, where it is not saved.
 */
export function QuickChoices({ domain, quick }: { domain: Domain; quick: Quick }) {
  const { wished, problem, change } = quick;
  const { decision, autoRenew } = { ...domain, ...wished };
  return (
    <>
      <label className="domain-choice">
        Decision{" "}
        <select
          className="control"
          value={decision ?? ""}
          onChange={({ target }) =>
            change({ decision: decisions.find((each) => each === target.value) ?? null })
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
            change({ autoRenew: target.value === "" ? null : target.value === "true" })
          }
        >
          <option value="">unknown</option>
          <option value="true">on</option>
          <option value="false">off</option>
        </select>
      </label>
      {problem && !problem.pin && <Notice>{problem.text}</Notice>}
    </>
  );
}
