import { useState } from "react";
import type { Registrar, RegistrarInput } from "../../shared/registrars.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { FormDialog, type FormValues } from "../register/form.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import type { SaveRegistrar } from "./registrars.tsx";

interface Props {
  registrar: Registrar;
  /** Targets of a merge: chosen, or named like this one. */
  others: readonly Registrar[];
  onSave: SaveRegistrar;
  onClose: () => void;
}

/** Renames a registrar, or merges it into another, and sets its login link. */
export function RegistrarDialog({ registrar, others, onSave, onClose }: Props) {
  const [name, setName] = useState(registrar.name);
  const [chosen, setChosen] = useState("");
  const target = others.find(({ key }) => key === (chosen || foldLabel(name)));
  const count = formatDomainCount(registrar.names);

  function send(_: FormValues, edited: FormValues) {
    const change: RegistrarInput = {};
    if (edited["name"] !== undefined) change.name = edited["name"];
    if (target) change.name = target.name;
    if (edited["loginUrl"] !== undefined) change.loginUrl = withScheme(edited["loginUrl"]);
    return onSave(change, ({ moved }) =>
      moved > 0
        ? `${formatDomainCount(moved)} moved to ${target?.name ?? name.trim()}.`
        : `${registrar.name} saved.`,
    );
  }

  return (
    <FormDialog
      heading={`Edit ${registrar.name}`}
      label={registrar.name}
      action={target ? `Merge into ${target.name}` : "Save"}
      fields={[
        {
          name: "name",
          label: "Name",
          hint: `Shown for ${count}`,
          maxLength: LIMITS.label,
          defaultValue: registrar.name,
          onType: setName,
        },
        {
          name: "target",
          label: "Merge into…",
          options: [
            ["", "No other registrar"],
            ...others.map((each) => [each.key, each.name] as const),
          ],
          onType: setChosen,
        },
        {
          name: "loginUrl",
          label: "Login link",
          hint: "Where you sign in there",
          inputMode: "url",
          spellCheck: false,
          autoCapitalize: "none",
          placeholder: "https://",
          defaultValue: registrar.loginUrl ?? "",
        },
      ]}
      onSend={send}
      onClose={onClose}
    >
      {target && (
        <Notice tone="warn">
          Merging moves {count} to {target.name}, which keeps its own login link and prices, and
          takes over any that are missing. Each domain’s history shows the move, and you can undo
          it.
        </Notice>
      )}
    </FormDialog>
  );
}

/** Completes a link such as `gandi.net/login`. */
function withScheme(typed: string): string | null {
  const link = typed.trim();
  if (link === "") return null;
  return /^[a-z][a-z\d+.-]*:/i.test(link) ? link : `https://${link}`;
}
