import { useRef, useState } from "react";
import { type Domain, type DomainInput, parseDomain } from "../../../shared/domain.ts";
import { notify } from "../../ui/notifications.ts";
import { explain, failedResponse } from "../../session/failure.tsx";
import { currentPerson } from "../../session/session-store.ts";
import { addUnsavedChanges } from "../../ui/unsaved-changes.ts";
import { reloadScreen } from "../../ui/use-loaded.ts";
import { editDomain } from "../../register/domains-api.ts";

/** What `useQuickChange` returns, bound to one domain. Its controls share one queue of changes. */
export interface QuickChange extends Pick<ReturnType<typeof useQuickChange>, "wanted" | "problem"> {
  change: (input: DomainInput) => void;
}

/**
 * Saves single fields at once, without a form. `wanted` holds the values being saved, to be shown as
 * if they were; `problem` says why saving failed, and whether it was a change of the expiry date.
 * Changes made meanwhile are sent afterwards, on top of the saved version. If the person has left the
 * screen, a notification reports a failure, and the screen that is open now reloads.
 *
 * @param onSaved Receives the last version that was saved, and what undoes its last change.
 * @param onNewer Receives the current version if someone else changed the domain first.
 */
export function useQuickChange(
  onSaved: (domain: Domain, operation: string | null) => void,
  onNewer: (domain: Domain) => void,
) {
  const [wanted, setWanted] = useState<DomainInput>();
  const [problem, setProblem] = useState<{ text: string; expiry: boolean }>();
  const queued = useRef<DomainInput>(null);
  const busy = useRef(false);

  /** @param domain The version that is shown. */
  async function change(domain: Domain, input: DomainInput) {
    const report = (text: string) => setProblem({ text, expiry: "expires" in input });
    setProblem(undefined);
    setWanted((now) => ({ ...now, ...input }));
    queued.current = { ...queued.current, ...input };
    if (busy.current) return;
    busy.current = true;
    const release = addUnsavedChanges();
    const person = currentPerson();
    const hasLeft = watchScreen();
    let saved = domain;
    let operation: string | null = null;
    try {
      while (queued.current) {
        const next: DomainInput = queued.current;
        queued.current = null;
        ({ operation, ...saved } = await editDomain(saved, next));
      }
      if (hasLeft()) reloadScreen();
      else onSaved(saved, operation);
    } catch (error) {
      queued.current = null;
      if (hasLeft()) {
        if (currentPerson() === person) {
          notify({ text: `Your change to ${domain.unicode} was not saved. ${explain(error)}` });
        }
        if (saved !== domain) reloadScreen();
        return;
      }
      if (saved !== domain) onSaved(saved, operation);
      const { status, problem: answer } = failedResponse(error);
      if (status === 412 && answer?.current) {
        onNewer(parseDomain(answer.current));
        report("Someone else changed this domain. This is the current version: choose again.");
      } else if (status === 401) {
        // Shown after the person has signed in again.
        report("Not saved, because your session had ended. Choose again.");
      } else {
        report(`Not saved: the previous value is back. ${explain(error)}`);
      }
    } finally {
      busy.current = false;
      release();
      setWanted(undefined);
    }
  }

  return { wanted, problem, change };
}

/** Returns a check whether this screen is gone, even if another is open at the same address. */
function watchScreen(): () => boolean {
  const { pathname } = location;
  const heading = document.querySelector("h1");
  return () => location.pathname !== pathname || heading?.isConnected === false;
}
