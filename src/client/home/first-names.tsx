import { type SubmitEvent, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { keepPasted, readPasted, toPastedFile } from "../session/pasted-names.ts";
import { keepPendingImport } from "../session/pending-import.ts";
import { Button } from "../ui/button.tsx";
import { DropZone } from "../ui/drop-zone.tsx";
import { Field } from "../ui/field.tsx";

/** One big place to begin: drop a file, or paste names; both go on in the import. */
export default function FirstNames() {
  const [, navigate] = useLocation();
  const [bare, setBare] = useState(false);
  const pasted = useRef<HTMLTextAreaElement>(null);

  function bring(file: File) {
    keepPendingImport(file);
    navigate("/domains/import");
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const text = pasted.current?.value.trim() ?? "";
    setBare(text === "");
    if (text !== "") bring(toPastedFile(text));
  }

  return (
    <section className="home-first">
      <h2>No names yet</h2>
      <DropZone
        label="Drop a registrar’s list here, or choose one"
        hint="The export of any registrar, as CSV or text. You see what it holds before anything is kept."
        onFile={bring}
      />
      <form onSubmit={submit}>
        <Field
          label="Or paste names"
          hint="One to a line"
          error={bare ? "Paste at least one name, such as example.com." : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              ref={pasted}
              rows={3}
              defaultValue={readPasted()}
              spellCheck={false}
              autoCapitalize="none"
              onChange={({ target }) => keepPasted(target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" look="primary">
            Read these names
          </Button>{" "}
          <Link href="/domains?add" className="button">
            Add a name
          </Link>
        </div>
      </form>
    </section>
  );
}
