import { type ReactNode, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { downloadText } from "../ui/page.ts";

/** What the server shows only once. */
export interface ShownSecret {
  label: string;
  /** One secret per line. */
  value: string;
  /** Offers the text as a file of this name. */
  fileName?: string;
  note?: ReactNode;
}

export function SecretDialog(props: ShownSecret & { heading?: string; onClose: () => void }) {
  const { heading = "Copy this now: it is shown only once", label, value } = props;
  const { fileName, note, onClose } = props;
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [status, setStatus] = useState("Keep this secret: anyone who has it can use it.");
  const lines = value.split("\n").length;

  async function copy() {
    box.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setStatus("Copied.");
    } catch {
      // Browsers refuse the clipboard to a page that came by plain HTTP.
      setStatus("Press Ctrl+C or ⌘C to copy it.");
    }
  }

  return (
    <Dialog heading={heading} onClose={onClose}>
      <div className="stack">
        <Field label={label} hint={<output>{status}</output>}>
          {(control) =>
            lines > 1 ? (
              <textarea {...control} ref={box} readOnly rows={lines} value={value} />
            ) : (
              <input {...control} ref={box} readOnly value={value} />
            )
          }
        </Field>
        {note}
        <DialogActions cancel="Done">
          {fileName !== undefined && (
            <Button onClick={() => downloadText(`${value}\n`, fileName)}>Download</Button>
          )}
          <Button look="primary" onClick={() => void copy()}>
            Copy
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
