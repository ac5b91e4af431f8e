import { type ComponentProps, type KeyboardEvent, useId, useRef, useState } from "react";
import type { Facet } from "../../shared/facets.ts";
import { splitTags } from "../../shared/text.ts";
import type { ControlProps } from "./field.tsx";
import { formatDomainCount } from "./format.ts";

interface Props extends ComponentProps<"input"> {
  suggestions: readonly Facet[] | undefined;
}

/** A text box that suggests the values in use. */
export function Combobox({ suggestions, ...input }: Props) {
  const id = useId();
  return (
    <>
      <input {...input} list={id} autoComplete="off" dir="auto" />
      <datalist id={id}>
        {suggestions?.map(({ value, names }) => (
          <option key={value} value={value}>
            {names > 0 && formatDomainCount(names)}
          </option>
        ))}
      </datalist>
    </>
  );
}

interface TagBoxProps extends ControlProps {
  /** Tags, separated by commas. */
  value: string;
  suggestions: readonly Facet[] | undefined;
  onChange: (value: string) => void;
}

/** Tags as chips, and a text box for more: comma, Enter or leaving the box makes a chip. */
export function TagBox({ value, suggestions, onChange, ...control }: TagBoxProps) {
  /** The tag that is being typed, and those that there were before, as it may begin like one of them. */
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
    onChange(
      splitTags(value)
        .filter((each) => each !== tag)
        .join(", "),
    );
    box.current?.focus();
  }

  return (
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
        value={typed}
        suggestions={suggestions?.filter((each) => !chips.includes(each.value))}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        onBlur={end}
      />
    </div>
  );
}
