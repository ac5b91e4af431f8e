import { useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";

/** Shows a secret that the server never shows again, to be copied. */
export function SecretDialog({ value, onClose }: { value: string; onClose: () => void }) {
  const box = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("Keep it secret: anyone who has it can use it.");
  const isAddress = value.startsWith("http");

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
    <Dialog heading="Copy this now: it is shown only once" onClose={onClose}>
      <div className="dialog-text">
        <Field
          label={isAddress ? "Address to subscribe to in your calendar" : "Signing secret"}
          hint={<output>{said}</output>}
        >
          {(control) => <input {...control} ref={box} readOnly value={value} />}
        </Field>
        <div className="dialog-actions">
          <Button onClick={onClose}>Done</Button>
          <Button look="primary" onClick={() => void copy()}>
            Copy
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
