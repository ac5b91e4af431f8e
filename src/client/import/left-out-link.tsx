import type { Import } from "../../shared/import.ts";
import { leftOutHref } from "./import-api.ts";

/** Downloads the rows that an import leaves out, with the reason for each. */
export function LeftOutLink({ done: { id, counts } }: { done: Import }) {
  if (counts.duplicate + counts.invalid + counts.skipped === 0) return null;
  return (
    <p>
      <a href={leftOutHref(id)} download>
        Download the rows that were left out
      </a>
    </p>
  );
}
