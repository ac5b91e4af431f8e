import type { Finding } from "../../shared/check-summary.ts";
import { formatDate } from "../ui/format.ts";
import "./finding-list.css";

const SEVERITY_WORDS = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
} as const;

/** What checks found: what it is, since when, what was seen, and what to do. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="stack findings">
      {findings.map(({ code, label, severity, since, text, advice }) => (
        <li key={code} className={`stack box ${severity}`}>
          <p>
            <span className={`severity ${severity}`}>{SEVERITY_WORDS[severity]}</span>{" "}
            <b>{label}</b>
          </p>
          <p>{advice}</p>
          <small>
            {text.replace(/\.$/, "")} · since {formatDate(since)}
          </small>
        </li>
      ))}
    </ul>
  );
}
