import { useState } from "react";
import { Failure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { reloadScreen } from "../ui/use-loaded.ts";

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
        You are looking at sample data. <Button onClick={send}>Remove sample data</Button>
      </Notice>
      {failure}
    </>
  );
}

function useSample(method: "POST" | "DELETE") {
  const [error, setError] = useState<unknown>();

  async function send() {
    try {
      await callApi("/api/sample", { method });
      setError(undefined);
      reloadScreen();
    } catch (problem) {
      setError(problem);
    }
  }

  return { send, failure: error !== undefined && <Failure error={error} onRetry={send} /> };
}
