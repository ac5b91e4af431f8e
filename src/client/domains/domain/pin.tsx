import type { Observation } from "../../../shared/contract.ts";
import { Button } from "../../ui/button.tsx";
import type { Quick } from "./use-quick-change.ts";

/** The source of what a person said: it outranks every other, and so pins the day. */
export const MANUAL = "manual";

/** Pins the day that a source names, or takes the pin away; nothing where it names none. */
export function Pin({ said: { source, date }, quick }: { said: Observation; quick: Quick }) {
  if (date === null) return null;
  const pinned = source === MANUAL;
  return (
    <Button
      aria-disabled={quick.wished !== undefined}
      aria-label={pinned ? `Unpin ${date}` : `Pin ${date} from ${source}`}
      onClick={() => quick.change({ expires: pinned ? null : date })}
    >
      {pinned ? "Unpin" : "Pin"}
    </Button>
  );
}
