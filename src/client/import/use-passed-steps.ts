import { type RefObject, useEffect, useRef } from "react";
import type { StepName } from "./step.ts";

/**
 * Once an import is written, the entries of the history that led there have nothing to show: whoever
 * comes to one by back or forward goes on to the next in the same direction.
 *
 * @param passed The address of such an entry, while one is shown; null otherwise.
 * @param shown The step that was shown before.
 */
export function usePassedSteps(passed: string | null, shown: RefObject<StepName | undefined>) {
  const way = useRef<"back" | "forward">(undefined);

  useEffect(() => {
    if (passed === null) {
      way.current = undefined;
      return;
    }
    if (shown.current === "result") way.current ??= "back";
    if (shown.current === "file") way.current ??= "forward";
    if (way.current) history[way.current]();
  }, [passed, shown]);
}
