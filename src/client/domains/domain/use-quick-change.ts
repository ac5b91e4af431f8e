import { useRef, useState } from "react";
import type { Domain, DomainInput } from "../../../shared/contract.ts";
import { HttpError } from "../../http.ts";
import { notify } from "../../notifications.ts";
import { explain } from "../../session/failure.tsx";
import { currentPerson } from "../../session/session-store.ts";
import { addUnsavedChanges } from "../../unsaved-changes.ts";
import { editDomain, parseDomain } from "../domains-api.ts";

/** Where the outcome of a change goes. */
export interface Outcome {
  onSaved: (domain: Domain) => void;
  /** Somebody was quicker: what is there now. */
  onNewer: (domain: Domain) => void;
}

/** Why a change did not come, and whether it was that of a pin. */
interface Problem {
  text: string;
  pin: boolean;
}

/**
 * Changes single fields of a name at once, without a form. `wished` is what was asked for as long as
 * the answer is on its way, and can be shown as if it were so; `problem` says why it did not come.
 * What is asked for meanwhile is sent after it, to the version that came of it. If the
 * person has left the screen before the answer, a failure becomes a notification.
 */
export function useQuickChange({ onSaved, onNewer }: Outcome) {
  const [wished, setWished] = useState<DomainInput>();
  const [problem, setProblem] = useState<Problem>();
  const waiting = useRef<DomainInput>(null);
  const busy = useRef(false);

  /** @param domain What is changed, as it is shown. */
  async function change(domain: Domain, input: DomainInput) {
    const complain = (text: string) => setProblem({ text, pin: "expires" in input });
    setProblem(undefined);
    setWished((now) => ({ ...now, ...input }));
    waiting.current = { ...waiting.current, ...input };
    if (busy.current) return;
    busy.current = true;
    const release = addUnsavedChanges();
    const person = currentPerson();
    const left = watchScreen();
    let saved = domain;
    try {
      while (waiting.current) {
        const next: DomainInput = waiting.current;
        waiting.current = null;
        saved = await editDomain(saved, next);
      }
      if (left()) readAgain();
      else onSaved(saved);
    } catch (error) {
      waiting.current = null;
      if (left()) {
        if (currentPerson() === person) {
          notify({ text: `Your change to ${domain.unicode} was not saved. ${explain(error)}` });
        }
        if (saved !== domain) readAgain();
        return;
      }
      if (saved !== domain) onSaved(saved);
      const { status, problem: answer } = error instanceof HttpError ? error : {};
      if (status === 412 && answer?.current) {
        onNewer(parseDomain(answer.current));
        complain("Somebody changed this name meanwhile. This is what it is now: decide once more.");
      } else if (status === 401) {
        // Behind the sign-in form, and read after it.
        complain("That was not saved: your session had ended. Choose once more.");
      } else {
        complain(`That was not saved: it is again what it was before. ${explain(error)}`);
      }
    } finally {
      busy.current = false;
      release();
      setWished(undefined);
    }
  }

  return { wished, problem, change };
}

/** Says whether the screen that is there now has gone: another may be at its address again. */
function watchScreen(): () => boolean {
  const { pathname } = location;
  const heading = document.querySelector("h1");
  return () => location.pathname !== pathname || heading?.isConnected === false;
}

/** The screen that is there now may show what was before: it reads again as if it had been away. */
function readAgain() {
  document.dispatchEvent(new Event("visibilitychange"));
}

/** What `useQuickChange` gives, for one name: all that changes it at once waits for one another. */
export interface Quick extends Pick<ReturnType<typeof useQuickChange>, "wished" | "problem"> {
  change: (input: DomainInput) => void;
}
