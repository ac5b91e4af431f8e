import { useState } from "react";
import {
  facetOf,
  IMPORT_LABELS,
  LABEL_FIELDS,
  type LabelField,
  recordOf,
} from "../../shared/fields.ts";
import type { Import, ImportDefaults } from "../../shared/import.ts";
import { isCurrencyCode } from "../../shared/money.ts";
import { splitTags } from "../../shared/text.ts";
import { useSuggestions } from "../register/suggestions.ts";
import { TextBox, toSuggestions } from "../ui/text-box.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";
import { Answer } from "./question.tsx";

type Name = LabelField | "tags" | "currency";
type Texts = Partial<Record<Name, string>> & { registrarUnknown?: boolean };

/** Asked for together: an account is one at a registrar. */
const AT_REGISTRAR = ["registrar", "account"] as const;
const OTHERS: readonly Name[] = [
  ...LABEL_FIELDS.filter((field) => field !== "registrar" && field !== "account"),
  "tags",
  "currency",
];
const GUESSED = "Guessed from the file name. Change it if it’s wrong.";

const hints: { readonly [N in Name]?: string } = {
  registrar: "For domains without a registrar",
  account: "Login at the registrar",
  owner: "Person responsible",
  tags: "Added to every domain, separated by commas",
  currency: "For prices without a currency, for example EUR",
};

/** The defaults being typed. If `isAsked`, the registrar, as the file's name suggests it, is a question. */
export function useDefaults(
  { defaults, ambiguous, format }: Import,
  isAsked: boolean,
  onChange: (defaults: ImportDefaults) => void,
) {
  const guess = ambiguous.find((each) => each.code === "registrar")?.guess;
  const { facets } = useSuggestions();
  const [reported, setReported] = useState<Texts>({
    ...defaults,
    tags: defaults.tags?.join(", ") ?? "",
  });
  const [texts, setTexts] = useState<Texts>(guess ? { ...reported, registrar: guess } : reported);
  const { tags = "", currency = "", ...others } = texts;
  const code = currency.trim().toUpperCase();
  const isBadCurrency = code !== "" && !isCurrencyCode(code);
  useUnsavedChanges(texts !== reported);

  return {
    texts,
    hint(name: Name): string | undefined {
      if (name !== "registrar") return hints[name];
      if (isAsked) return texts.registrar && texts.registrar === guess ? GUESSED : undefined;
      return format === null ? hints.registrar : `Leave empty for ${format}`;
    },
    suggestions: {
      ...recordOf(LABEL_FIELDS, (field) => toSuggestions(facets?.[facetOf(field)])),
      tags: toSuggestions(facets?.tags),
      currency: toSuggestions(facets?.currencies.filter(({ value }) => value !== "-")),
    },
    isAsked,
    isOpen: isAsked && !texts.registrarUnknown && !texts.registrar?.trim(),
    isBadCurrency,
    change: (changed: Texts) => setTexts({ ...texts, ...changed }),
    /** Sends changes. Returns whether there are any. */
    report(): boolean {
      if (isBadCurrency || texts === reported) return false;
      setReported(texts);
      onChange({ ...others, tags: splitTags(tags), ...(code && { currency: code }) });
      return true;
    },
  };
}

type Defaults = ReturnType<typeof useDefaults>;

/** Asks for the registrar of a file that names none. "I don't know" is an answer too. */
export function RegistrarQuestion(props: { defaults: Defaults; isReminded: boolean }) {
  const { defaults } = props;
  const { texts, isOpen, change, report } = defaults;
  const isUnknown = texts.registrarUnknown === true;
  return (
    <fieldset className={isOpen ? "question open" : "question"}>
      <legend>Which registrar is this file from?</legend>
      <div className="field-grid">
        {AT_REGISTRAR.map((name) => (
          <DefaultField
            key={name}
            name={name}
            defaults={defaults}
            isMissing={name === "registrar" && isOpen && props.isReminded}
          />
        ))}
      </div>
      <Answer
        label="I don’t know"
        type="checkbox"
        checked={isUnknown}
        onBlur={report}
        onChange={() => change({ registrarUnknown: !isUnknown, registrar: "" })}
      />
    </fieldset>
  );
}

/** Values for rows that have none of their own. Sent when a control loses the focus. */
export function DefaultsForm({ defaults }: { defaults: Defaults }) {
  const names: readonly Name[] = defaults.isAsked ? OTHERS : [...AT_REGISTRAR, ...OTHERS];
  const [wasOpen] = useState(() => names.some((name) => defaults.texts[name]));
  return (
    <details open={wasOpen}>
      <summary>Defaults for empty fields</summary>
      <div className="field-grid">
        {names.map((name) => (
          <DefaultField key={name} name={name} defaults={defaults} />
        ))}
      </div>
    </details>
  );
}

function DefaultField(props: { name: Name; defaults: Defaults; isMissing?: boolean }) {
  const { name, defaults, isMissing } = props;
  const { texts, hint, suggestions, isBadCurrency, change, report } = defaults;
  const isBad = name === "currency" && isBadCurrency;
  return (
    <TextBox
      label={IMPORT_LABELS[name]}
      hint={hint(name)}
      error={
        isBad
          ? "Use three letters, for example EUR."
          : isMissing
            ? "Enter the registrar to see the preview, or choose “I don’t know”."
            : undefined
      }
      autoComplete="off"
      dir="auto"
      value={texts[name] ?? ""}
      suggestions={suggestions[name]}
      spellCheck={name === "currency" ? false : undefined}
      onType={(typed) =>
        change({ [name]: typed, ...(name === "registrar" && { registrarUnknown: false }) })
      }
      onBlur={report}
      onKeyDown={(event) => event.key === "Enter" && report()}
    />
  );
}
