import { type ReactNode, useState } from "react";
import { type Domain, parseDomain } from "../../../shared/domain.ts";
import { IMPORT_LABELS } from "../../../shared/fields.ts";
import { parseDeleted } from "../../../shared/operations.ts";
import { domainUrl, ifMatch } from "../../register/domain-change.ts";
import { notifyUndoable } from "../../register/undo.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { failedResponse } from "../../session/failure.tsx";
import { callApi } from "../../session/session-store.ts";
import { DialogText } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { notify } from "../../ui/notifications.ts";
import { readBrand } from "../../ui/page.ts";
import { changedValues, toValues } from "./domain-values.ts";

interface Props {
  domain: Domain;
  /** Called once it is in the bin, no matter who deleted it; a notification has said so. */
  onDeleted: (domain: Domain) => void;
  onClose: () => void;
}

/** Asks before a domain is deleted, and again if someone changed it meanwhile. */
export function DeleteDialog({ domain: initial, onDeleted, onClose }: Props) {
  const [domain, setDomain] = useState(initial);
  const changed = changedValues(toValues(initial), toValues(domain));

  async function confirm() {
    try {
      const options = { method: "DELETE", headers: ifMatch(domain), parse: parseDeleted };
      const { operation } = await callApi(domainUrl(domain), options);
      notifyUndoable(`Deleted ${domain.unicode}.`, operation);
      onDeleted(domain);
    } catch (error) {
      const { status, problem } = failedResponse(error);
      if (status === 404) {
        notify({ text: `Someone else deleted ${domain.unicode}.` });
        onDeleted(domain);
      } else if (status === 412 && problem?.current) setDomain(parseDomain(problem.current));
      else throw error;
    }
  }

  return (
    <DeleteConfirmation what={domain.unicode} action="Delete" onAction={confirm} onClose={onClose}>
      {domain !== initial && (
        <Notice tone="warn">
          Someone changed this domain after you opened it
          {changed.length > 0 && ` (${changed.map((name) => IMPORT_LABELS[name]).join(", ")})`}.
          Delete it anyway?
        </Notice>
      )}
    </DeleteConfirmation>
  );
}

interface ConfirmationProps {
  what: string;
  action: string;
  onAction: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

export function DeleteConfirmation({ what, children, ...dialog }: ConfirmationProps) {
  return (
    <ActionDialog heading={`Delete ${what}?`} busyAction="Deleting…" look="danger" {...dialog}>
      <DialogText>
        This removes {what} from {readBrand()} only. Nothing changes at the registrar. Deleted
        domains can be restored for 30 days.
      </DialogText>
      {children}
    </ActionDialog>
  );
}
