import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { Field } from "../../../src/client/ui/field.tsx";

const described = (element: HTMLElement) =>
  document.getElementById(element.getAttribute("aria-describedby") ?? "")?.textContent;

describe("Field", () => {
  test("ties label and hint to its control", () => {
    render(
      <Field label="Owner" hint="Who pays">
        {(control) => <input {...control} />}
      </Field>,
    );
    const control = screen.getByLabelText("Owner");
    expect(described(control)).toBe("Who pays");
    expect(control.getAttribute("aria-invalid")).toBeNull();
  });
});
