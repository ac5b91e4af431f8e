import { type ComponentProps, useId } from "react";
import type { Facet } from "../../shared/register.ts";
import { formatDomainCount } from "./format.ts";

interface Props extends ComponentProps<"input"> {
  suggestions: readonly Facet[] | undefined;
}

/** A text box that suggests the values in use; any other can be typed. */
export function Combobox({ suggestions, ...input }: Props) {
  const id = useId();
  return (
    <>
      <input {...input} list={id} autoComplete="off" dir="auto" />
      <datalist id={id}>
        {suggestions?.map(({ value, names }) => (
          <option key={value} value={value}>
            {formatDomainCount(names)}
          </option>
        ))}
      </datalist>
    </>
  );
}
