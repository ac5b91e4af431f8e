import { registerChanged } from "../register/undo.ts";
import { Failure } from "../session/failure.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** Offers to fill an empty register with sample data. */
export function SampleOffer() {
  const { send, failure } = useSample("POST");
  return (
    <>
      <p>
        Nothing at hand?{" "}
        <Button look="quiet" onClick={send}>
          Look around with sample data
        </Button>
      </p>
      {failure}
    </>
  );
}

/** Says that the register holds sample data, and removes it. */
export function SampleNotice() {
  const { send, failure } = useSample("DELETE");
  return (
    <>
      <Notice tone="calm">
        You are looking at sample data.{" "}
        {hasRole("editor") && <Button onClick={send}>Remove sample data</Button>}
      </Notice>
      {failure}
    </>
  );
}

function useSample(method: "POST" | "DELETE") {
  const { run, error } = useAction(async () => {
    await callApi("/api/sample", { method });
    registerChanged();
  });
  return {
    send: () => void run(),
    failure: error !== undefined && <Failure error={error} onRetry={() => void run()} />,
  };
}
