import { urlOf } from "../base-path.ts";
import type { Import } from "../../shared/import.ts";

/** Downloads the rows that an import leaves out, with the reason for each. */
export function LeftOutLink({ done: { id, counts } }: { done: Import }) {
  if (counts.duplicate + counts.invalid + counts.skipped === 0) return null;
  return (
    <p>
      <a href={urlOf(`/api/imports/${id}/left-out.csv`)} download>
        Download the rows that were left out
      </a>
    </p>
  );
}
