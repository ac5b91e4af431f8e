import { type ReactNode, useState } from "react";
import { readBrand } from "../../shared/brand.ts";
import { type Domain, parseDomain } from "../../shared/domain.ts";
import { IMPORT_FIELDS } from "../../shared/fields.ts";
import { HttpError } from "../http.ts";
import { explain } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { changedValues, toValues } from "./domain-values.ts";
import { deleteDomain } from "./domains-api.ts";

interface Props {
  domain: Domain;
  /** `byUs` is false if someone else deleted it first. */
  onDeleted: (domain: Domain, byUs: boolean) => void;
  onClose: () => void;
}

/** Asks before a domain is deleted, and again if someone changed it in the meantime. */
export function DeleteDialog({ domain: initial, onDeleted, onClose }: Props) {
  const [domain, setDomain] = useState(initial);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const changed = changedValues(toValues(initial), toValues(domain));

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
    <DeleteConfirmation
      what={domain.unicode}
      action="Delete"
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {domain !== initial && (
        <Notice tone="warn">
          Someone changed this domain after you opened it
          {changed.length > 0 &&
            ` (${changed.map((name) => IMPORT_FIELDS[name].label).join(", ")})`}
          . Delete it anyway?
        </Notice>
      )}
      {failure !== undefined && <Notice>{explain(failure)}</Notice>}
    </DeleteConfirmation>
  );
}

interface ConfirmationProps {
  /** Names the domains. */
  what: string;
  /** The label of the button that deletes them. */
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The question before one or many domains are deleted. */
export function DeleteConfirmation(props: ConfirmationProps) {
  const { what, action, busy, onConfirm, onClose, children } = props;
  return (
    <Dialog heading={`Delete ${what}?`} onClose={onClose}>
      <div className="domain-form">
        <p>
          This removes {what} from {readBrand()} only: nothing changes at the registrar. You can’t
          undo it.
        </p>
        {children}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" aria-disabled={busy} onClick={onConfirm}>
            {busy ? "Deleting…" : action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
