import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { explain } from "./explain.ts";

/** Why something could not be done, and a button to try it again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Notice>
      {explain(error)} <Button onClick={onRetry}>Try again</Button>
    </Notice>
  );
}
