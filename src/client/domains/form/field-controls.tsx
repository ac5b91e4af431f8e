import { type ComponentProps, type ReactNode, useId } from "react";
import { FIELDS, type ImportField } from "../../../shared/fields.ts";
import * as p from "../../../shared/parse.ts";
import { LIMITS } from "../../../shared/text.ts";
import { toOption, usePeople } from "../../register/suggestions.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { TextBox } from "../../ui/text-box.tsx";
import { DayBox, dayHint } from "../../ui/day-box.tsx";
import { Field, type Options } from "../../ui/field.tsx";

/**
 * A control of a part of a field. Its text is empty if the value is unknown; a day is `YYYY-MM-DD`,
 * or the typed text while it is no day.
 */
interface Control {
  name: ImportField;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export interface Surroundings {
  hint?: string | undefined;
  placeholder?: string | undefined;
  suggestions?: Options | undefined;
  currencies: Options;
  toOptions?: (options: Options) => Options;
}

export type Controls = readonly [Control, ...Control[]];

export function textBox(
  control: Control,
  given: Omit<Surroundings, "currencies">,
  more?: ComponentProps<"input">,
): ReactNode {
  const { hint, placeholder, suggestions } = given;
  const { onChange, ...box } = control;
  return (
    <TextBox
      key={box.name}
      autoComplete="off"
      dir="auto"
      {...{ hint, placeholder, suggestions, ...box, ...more }}
      onType={onChange}
    />
  );
}

export function dayBox([control]: Controls, { hint = "" }: Surroundings): ReactNode {
  return <DayBox key={control.name} {...control} hint={`${dayHint(control.value)}${hint}`} />;
}

export const select =
  (options: Options) =>
  ([control]: Controls, { hint, toOptions }: Surroundings): ReactNode => {
    const { onChange, ...given } = control;
    return (
      <Choice
        key={given.name}
        hint={hint}
        {...given}
        options={toOptions?.(options) ?? options}
        onChoose={onChange}
      />
    );
  };

/** A choice of people; hidden while there is only one. */
export function PersonBox({ control, given }: { control: Control; given: Surroundings }) {
  const people = usePeople();
  if (people.length < 2 && control.value === "") return null;
  return select([["", "Unassigned"], ...people.map(toOption)])([control], given);
}

export function moneyBoxes(
  [amount, currency, years]: Controls,
  { placeholder, currencies }: Surroundings,
): ReactNode {
  const given = { placeholder };
  return (
    <div key={amount.name} className={years ? "price" : "amount"}>
      {textBox(amount, given, { inputMode: "decimal" })}
      {currency &&
        textBox(
          currency,
          { ...given, suggestions: currencies },
          { maxLength: 3, autoCapitalize: "characters", spellCheck: false },
        )}
      {years && textBox(years, given, { inputMode: "numeric", maxLength: 3 })}
    </div>
  );
}

/** A custom field being typed; `id` only distinguishes it from the others. */
type CustomField = p.Parsed<typeof parseCustomField>;

const parseCustomField = p.object({ id: p.number, name: p.text, text: p.text });
const parseCustomText = p.list(parseCustomField);

/** Custom fields as the text of their control, a list in JSON; "" for none. */
export function customText(fields: readonly CustomField[]): string {
  return fields.length === 0 ? "" : JSON.stringify(fields);
}

export function readCustomText(value: string): CustomField[] {
  return value === "" ? [] : parseCustomText(JSON.parse(value));
}

/** Texts under names of the owner's choice. Without a text, one is not kept. */
export function CustomFields(props: Control & Pick<Surroundings, "hint" | "suggestions">) {
  const { value, error, onChange, hint, suggestions = [] } = props;
  const errorId = useId();
  const fields = readCustomText(value);
  const put = (changed: CustomField) =>
    onChange(customText(fields.map((field) => (field.id === changed.id ? changed : field))));
  const nextId = Math.max(...fields.map(({ id }) => id), 0) + 1;
  return (
    <fieldset
      className="stack custom-fields"
      tabIndex={-1}
      aria-invalid={error ? true : undefined}
      aria-describedby={error && errorId}
    >
      <legend>{FIELDS.custom.label}</legend>
      {fields.map((field) => (
        <div key={field.id}>
          <TextBox
            label="Name"
            value={field.name}
            maxLength={LIMITS.customName}
            suggestions={suggestions.map(([each]) => [each, each])}
            autoComplete="off"
            dir="auto"
            onType={(typed) => put({ ...field, name: typed })}
          />
          <Field label="Text">
            {(control) => (
              <textarea
                {...control}
                value={field.text}
                rows={1}
                dir="auto"
                onChange={({ target }) => put({ ...field, text: target.value })}
              />
            )}
          </Field>
          <Button
            look="quiet"
            size="icon"
            aria-label={`Remove ${field.name || "this field"}`}
            onClick={() => onChange(customText(fields.filter(({ id }) => id !== field.id)))}
          >
            ×
          </Button>
        </div>
      ))}
      {hint && <p className="field-hint">{hint}</p>}
      {error && (
        <p id={errorId} className="field-error" role="alert">
          {error}
        </p>
      )}
      <Button onClick={() => onChange(customText([...fields, { id: nextId, name: "", text: "" }]))}>
        Add a field
      </Button>
    </fieldset>
  );
}
