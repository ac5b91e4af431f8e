import { type SubmitEvent, useState } from "react";
import type { Registrar, RegistrarInput } from "../../shared/registrars.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { FormFailure } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";
import { useSaveRegistrar } from "./use-save-registrar.ts";

interface Props {
  registrar: Registrar;
  /** Whose name merges the two. */
  others: readonly Registrar[];
  onSaved: (text: string, operation: string | null) => void;
  onClose: () => void;
}

/** Renames a registrar, or merges it into another, and sets its login link. */
export function RegistrarDialog({ registrar, others, onSaved, onClose }: Props) {
  const [name, setName] = useState(registrar.name);
  const [loginUrl, setLoginUrl] = useState(registrar.loginUrl ?? "");
  const { busy, error, bad, save } = useSaveRegistrar(registrar);
  const isDirty = name !== registrar.name || loginUrl !== (registrar.loginUrl ?? "");
  useUnsavedChanges(isDirty);
  const target = others.find(({ key }) => key === foldLabel(name));
  const count = formatDomainCount(registrar.names);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const change: RegistrarInput = {};
    if (name !== registrar.name) change.name = name;
    if (loginUrl !== (registrar.loginUrl ?? "")) change.loginUrl = withScheme(loginUrl);
    const changed = await save(change);
    if (!changed) return;
    const moved = formatDomainCount(changed.moved);
    const text = changed.moved > 0 ? `${moved} moved to ${target?.name ?? name.trim()}.` : "Saved.";
    onSaved(text, changed.operation);
  }

  return (
    <Dialog heading={`Edit ${registrar.name}`} isDirty={isDirty} onClose={onClose}>
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <Field label="Name" hint={`Shown for ${count}`} error={bad["name"]}>
          {(control) => (
            <input
              {...control}
              maxLength={LIMITS.label}
              value={name}
              onChange={({ target: { value } }) => setName(value)}
            />
          )}
        </Field>
        <Field label="Login link" hint="Where you sign in there" error={bad["loginUrl"]}>
          {(control) => (
            <input
              {...control}
              inputMode="url"
              spellCheck={false}
              autoCapitalize="none"
              placeholder="https://"
              value={loginUrl}
              onChange={({ target: { value } }) => setLoginUrl(value)}
            />
          )}
        </Field>
        {target && (
          <Notice tone="warn">
            You already have {target.name}. Merging moves {count} there. {target.name} keeps its own
            login link and prices, and gets those that it lacks. Each domain’s history shows the
            move, and you can undo it.
          </Notice>
        )}
        <FormFailure error={error} />
        <DialogActions>
          <Button type="submit" look="primary" aria-disabled={busy}>
            {busy ? "Saving…" : target ? `Merge into ${target.name}` : "Save"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** A link as people type it: `gandi.net/login`. */
function withScheme(typed: string): string | null {
  const link = typed.trim();
  if (link === "") return null;
  return /^[a-z][a-z\d+.-]*:/i.test(link) ? link : `https://${link}`;
}
