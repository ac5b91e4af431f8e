import { type SubmitEvent, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import {
  readPastedText,
  setPastedText,
  setPendingImport,
  toPastedFile,
} from "../register/pending-import.ts";
import { Button } from "../ui/button.tsx";
import { DropZone } from "../ui/drop-zone.tsx";
import { Field } from "../ui/field.tsx";
import { RequireRole } from "../session/gate.tsx";
import { hasRole } from "../session/session-store.ts";
import { AccountNews, SampleOffer } from "./news.tsx";

/** Home of an empty register: starts an import, or shows sample data. */
export default function Onboarding() {
  const [, navigate] = useLocation();
  const [empty, setEmpty] = useState(false);
  const pasted = useRef<HTMLTextAreaElement>(null);

  function startImport(files: readonly File[]) {
    setPendingImport(files);
    navigate("/domains/import");
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const text = pasted.current?.value.trim() ?? "";
    setEmpty(text === "");
    if (text !== "") startImport([toPastedFile(text)]);
  }

  if (!hasRole("editor")) return <p>No domains for you yet. An owner or an editor adds them.</p>;
  return (
    <>
      <AccountNews />
      <section>
        <h2 className="large">Add your first domains</h2>
        <div className="ways">
          <DropZone
            label="Drop a registrar export here, or choose a file"
            hint="CSV, Excel or JSON from any registrar. You’ll review everything before it is saved."
            onFiles={startImport}
          />
          <form className="stack" onSubmit={submit}>
            <Field
              label="Or paste domains"
              hint="One per line"
              error={empty ? "Paste at least one domain, for example example.com." : undefined}
            >
              {(control) => (
                <textarea
                  {...control}
                  ref={pasted}
                  rows={3}
                  defaultValue={readPastedText()}
                  spellCheck={false}
                  autoCapitalize="none"
                  onChange={({ target }) => setPastedText(target.value)}
                />
              )}
            </Field>
            <div className="row">
              <Button type="submit" look="main">
                Review domains
              </Button>{" "}
              <Link href="/domains?add" className="button">
                Add a domain
              </Link>{" "}
              <RequireRole least="owner">
                <Link href="/registrars/connect" className="button">
                  Connect a registrar
                </Link>
              </RequireRole>
            </div>
          </form>
        </div>
        <SampleOffer />
      </section>
    </>
  );
}
