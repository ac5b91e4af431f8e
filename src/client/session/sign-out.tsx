import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Failure } from "./failure.tsx";
import { signOut } from "./session-store.ts";

/** Ends the session; says so where that did not work, because the person still is signed in. */
export function SignOut() {
  const [error, setError] = useState<unknown>();

  async function leave() {
    try {
      await signOut();
      document.querySelector("h1")?.focus();
    } catch (problem) {
      setError(problem);
    }
  }

  return error === undefined ? (
    <Button onClick={leave}>Sign out</Button>
  ) : (
    <Failure error={error} onRetry={leave} />
  );
}
