import { type SubmitEvent, useState } from "react";
import type { Registrar, RegistrarInput } from "../../shared/registrars.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { fieldErrors, FormFailure } from "../session/failure.tsx";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";
import type { SaveRegistrar } from "./registrars.tsx";

interface Props {
  registrar: Registrar;
  /** Whose name merges the two. */
  others: readonly Registrar[];
  onSave: SaveRegistrar;
  onClose: () => void;
}

/** Renames a registrar, or merges it into another, and sets its login link. */
export function RegistrarDialog({ registrar, others, onSave, onClose }: Props) {
  const [name, setName] = useState(registrar.name);
  const [loginUrl, setLoginUrl] = useState(registrar.loginUrl ?? "");
  const { run: save, isBusy, error } = useAction(onSave);
  const bad = fieldErrors(error);
  const isDirty = name !== registrar.name || loginUrl !== (registrar.loginUrl ?? "");
  useUnsavedChanges(isDirty);
  const target = others.find(({ key }) => key === foldLabel(name));
  const count = formatDomainCount(registrar.names);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const change: RegistrarInput = {};
    if (name !== registrar.name) change.name = name;
    if (loginUrl !== (registrar.loginUrl ?? "")) change.loginUrl = withScheme(loginUrl);
    void save(change, ({ moved }) =>
      moved > 0 ? `${formatDomainCount(moved)} moved to ${target?.name ?? name.trim()}.` : "Saved.",
    );
  }

  return (
    <Dialog heading={`Edit ${registrar.name}`} isDirty={isDirty} onClose={onClose}>
      <form className="stack" noValidate onSubmit={submit}>
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
          <Button type="submit" look="primary" aria-disabled={isBusy}>
            {isBusy ? "Saving…" : target ? `Merge into ${target.name}` : "Save"}
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
