import { type ComponentProps, type KeyboardEvent, useId, useRef, useState } from "react";
import type { Facet } from "../../shared/facets.ts";
import { splitTags } from "../../shared/text.ts";
import { Field, type Labelled, OptionList, type Options } from "./field.tsx";
import { formatDomainCount } from "./format.ts";

/** Values in use with how many domains have each, for a `Combobox`. */
export function toSuggestions(facets: readonly Facet[] = []): Options {
  return facets.map(({ value, names }) => [value, names > 0 ? formatDomainCount(names) : ""]);
}

export interface ComboboxProps extends Omit<ComponentProps<"input">, "list" | "onChange"> {
  suggestions?: Options | undefined;
  onType?: ((value: string) => void) | undefined;
}

/** A box of one line that may suggest values; any text may be typed. */
export function Combobox({ suggestions, onType, ...input }: ComboboxProps) {
  const id = useId();
  return (
    <>
      <input
        {...input}
        list={suggestions && id}
        onChange={({ target }) => onType?.(target.value)}
      />
      {suggestions && (
        <datalist id={id}>
          <OptionList options={suggestions} />
        </datalist>
      )}
    </>
  );
}

export function TextBox({ label, hint, error, ...box }: Labelled & ComboboxProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Combobox {...control} {...box} />}
    </Field>
  );
}

interface TagBoxProps extends Labelled {
  /** Tags, separated by commas. */
  value: string;
  suggestions: Options;
  onChange: (value: string) => void;
}

/** Tags as chips, and a labelled box for more: comma, Enter or leaving the box makes a chip. */
export function TagBox({ label, hint, error, value, suggestions, onChange }: TagBoxProps) {
  /** The tag being typed, and the tags before it, as it may begin like one of them. */
  const [typing, setTyping] = useState<{ text: string; chips: readonly string[] }>();
  const box = useRef<HTMLInputElement>(null);
  const typed = typing?.text ?? "";
  const chips = typing?.chips ?? splitTags(value);
  const end = () => setTyping(undefined);

  /** Text before the last comma becomes chips. The rest counts as a tag too. */
  function type(text: string) {
    const rest = text.lastIndexOf(",") + 1;
    const before = splitTags([...chips, text.slice(0, rest)].join(","));
    setTyping({ text: text.slice(rest), chips: before });
    onChange(splitTags([...before, text.slice(rest)].join(",")).join(", "));
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter and Backspace are the input method's while it converts, for example into kanji.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && typed.trim() !== "") {
      event.preventDefault();
      end();
    } else if (event.key === "Backspace" && typed === "" && chips.length > 0) {
      end();
      onChange(chips.slice(0, -1).join(", "));
    }
  }

  function remove(tag: string) {
    // A click of a screen reader leaves the focus in the box.
    end();
    onChange(
      splitTags(value)
        .filter((each) => each !== tag)
        .join(", "),
    );
    box.current?.focus();
  }

  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="field">
          {chips.length > 0 && (
            <ul className="row" aria-label="Chosen tags">
              {chips.map((tag) => (
                <li key={tag}>
                  <button
                    type="button"
                    className="chip"
                    aria-label={`Remove tag ${tag}`}
                    onClick={() => remove(tag)}
                  >
                    {tag} <span aria-hidden="true">×</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <Combobox
            {...control}
            ref={box}
            enterKeyHint="enter"
            autoComplete="off"
            dir="auto"
            value={typed}
            suggestions={suggestions.filter(([tag]) => !chips.includes(tag))}
            onType={type}
            onKeyDown={onKeyDown}
            onBlur={end}
          />
        </div>
      )}
    </Field>
  );
}
