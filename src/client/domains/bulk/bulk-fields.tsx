import { Field } from "../../ui/field.tsx";
import { type BulkName, bulkTexts, type BulkValues, UNKNOWN } from "./bulk-values.ts";
import { labels } from "../domain-values.ts";
import { decisions } from "../../../shared/domain-json.ts";

const KEEP = "leave as it is";

const decisionChoices = [
  ...decisions.map((each) => [each, each] as const),
  [UNKNOWN, "open"],
] as const;
const autoRenewChoices = [
  ["true", "on"],
  ["false", "off"],
  [UNKNOWN, "unknown"],
] as const;

/** Every field that many names can be given at once. */
export function BulkFields({
  values,
  onChange,
}: {
  values: BulkValues;
  onChange: (values: BulkValues) => void;
}) {
  const { clear } = values;
  const bind = (name: BulkName) => ({
    name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...values, [name]: target.value }),
  });
  const choice = (
    name: "decision" | "autoRenew",
    choices: readonly (readonly [string, string])[],
  ) => (
    <Field label={labels[name]}>
      {(control) => (
        <select {...control} {...bind(name)}>
          <option value="">{KEEP}</option>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const tags = (name: "addTags" | "removeTags", label: string) => (
    <Field label={label} hint="Separated by commas">
      {(control) => <input {...control} {...bind(name)} autoComplete="off" />}
    </Field>
  );

  return (
    <div className="domain-fields">
      {bulkTexts.map((name) => (
        <div key={name}>
          <Field label={labels[name]}>
            {(control) => (
              <input {...control} {...bind(name)} placeholder={KEEP} autoComplete="off" />
            )}
          </Field>
          <label className="check">
            <input
              type="checkbox"
              checked={clear.includes(name)}
              onChange={({ target }) =>
                onChange({
                  ...values,
                  clear: bulkTexts.filter((each) =>
                    each === name ? target.checked : clear.includes(each),
                  ),
                })
              }
            />
            Make it unknown
          </label>
        </div>
      ))}
      {choice("decision", decisionChoices)}
      {choice("autoRenew", autoRenewChoices)}
      {tags("addTags", "Add tags")}
      {tags("removeTags", "Remove tags")}
    </div>
  );
}
