import { type ReactNode, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

/** What the server shows only once. */
export interface ShownSecret {
  label: string;
  /** One line each. */
  value: string;
  /** Offers the text as a file of this name. */
  fileName?: string;
  /** What else is to be said, such as how it is used. */
  note?: ReactNode;
}

/** Shows a secret that the server never shows again, to be copied. */
export function SecretDialog(props: ShownSecret & { heading?: string; onClose: () => void }) {
  const { heading = "Copy this now: it is shown only once", label, value } = props;
  const { fileName, note, onClose } = props;
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [said, setSaid] = useState("Keep this secret: anyone who has it can use it.");
  const lines = value.split("\n").length;

  async function copy() {
    box.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setSaid("Copied.");
    } catch {
      // Browsers give no clipboard to a page that came by plain HTTP.
      setSaid("Press Ctrl+C or ⌘C to copy it.");
    }
  }

  return (
    <Dialog heading={heading} onClose={onClose}>
      <div className="stack dialog-text">
        <Field label={label} hint={<output>{said}</output>}>
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
            <Button onClick={() => download(fileName, value)}>Download</Button>
          )}
          <Button look="primary" onClick={() => void copy()}>
            Copy
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text, "\n"], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
