import { useState } from "react";
import type { Domain } from "../../../shared/contract.ts";
import { HttpError } from "../../http.ts";
import { explain } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { changedValues, labels, toValues } from "../domain-values.ts";
import { deleteDomain, parseDomain } from "../domains-api.ts";

/** Asks before a name is deleted, and again when somebody has changed it meanwhile. */
export function DeleteDialog({
  domain: given,
  onDeleted,
  onClose,
}: {
  domain: Domain;
  /** `byUs` is false where somebody else had deleted it before. */
  onDeleted: (domain: Domain, byUs: boolean) => void;
  onClose: () => void;
}) {
  const [domain, setDomain] = useState(given);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const changed = changedValues(toValues(given), toValues(domain));

  async function confirm() {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await deleteDomain(domain);
      onDeleted(domain, true);
    } catch (error) {
      const { status, problem } = error instanceof HttpError ? error : {};
      if (status === 404) onDeleted(domain, false);
      else if (status === 412 && problem?.current) setDomain(parseDomain(problem.current));
      else if (status !== 401) setFailure(error);
      setBusy(false);
    }
  }

  return (
    <Dialog heading={`Delete ${domain.unicode}?`} onClose={onClose}>
      <div className="domain-form">
        <p>It leaves the register. Nothing happens at the registrar.</p>
        {domain !== given && (
          <Notice tone="warn">
            Somebody has changed this name since you saw it
            {changed.length > 0 && `: ${changed.map((name) => labels[name]).join(", ")}`}. Delete it
            all the same?
          </Notice>
        )}
        {failure !== undefined && <Notice>{explain(failure)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" aria-disabled={busy} onClick={confirm}>
            {busy ? "Deleting…" : "Delete"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
