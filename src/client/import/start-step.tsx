import { type SubmitEvent, useState } from "react";
import type { Import } from "../../shared/import.ts";
import { urlOf } from "../base-path.ts";
import { readPastedText, setPastedText, toPastedFile } from "../register/pending-import.ts";
import { Button } from "../ui/button.tsx";
import { DropZone } from "../ui/drop-zone.tsx";
import { Field } from "../ui/field.tsx";
import { EarlierImports } from "./earlier-imports.tsx";
import { UploadList, useUploads } from "./uploads.tsx";

/** First step: files or a pasted list, and the earlier imports. */
export function StartStep(props: {
  onImported: (added: Import) => void;
  onUndone: (undone: Import) => void;
}) {
  const uploads = useUploads(props.onImported);
  const [pasted, setPasted] = useState(readPastedText);
  const [empty, setEmpty] = useState(false);

  function paste(text: string) {
    setPasted(text);
    setPastedText(text);
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const isEmpty = pasted.trim() === "";
    setEmpty(isEmpty);
    if (!isEmpty) uploads.add([toPastedFile(pasted)]);
  }

  return (
    <>
      {/* When the button of an upload goes, the focus moves to what is here. */}
      <div className="stack">
        <UploadList {...uploads} />
        <div className="ways">
          <DropZone
            label="Drop files here, or choose them"
            hint="CSV, Excel, JSON or text from any registrar"
            onFiles={uploads.add}
          />
          <form className="stack" onSubmit={submit}>
            <Field
              label="Or paste domains"
              hint="One per line, or rows copied from a spreadsheet"
              error={empty ? "Paste at least one domain, for example example.com." : undefined}
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={4}
                  value={pasted}
                  spellCheck={false}
                  autoCapitalize="none"
                  onChange={({ target }) => paste(target.value)}
                />
              )}
            </Field>
            <Button type="submit">Continue</Button>
          </form>
        </div>
      </div>
      <p>
        No export? Fill in the{" "}
        <a href={urlOf("/api/imports/template.csv")} download>
          CSV template
        </a>
        .
      </p>
      <EarlierImports onUndone={props.onUndone} />
    </>
  );
}
