import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { Form, type FormValues } from "../../../src/client/register/form.tsx";
import { fakeApi } from "../../support/fake-api.ts";

fakeApi();

describe("Form", () => {
  test("takes no value that was read again for an edit", async () => {
    const sent = Promise.withResolvers<FormValues>();
    const form = (user: string) => (
      <Form
        label="Server"
        action="Save"
        fields={[
          { name: "host", label: "Host", defaultValue: "a.example" },
          { name: "user", label: "User", defaultValue: user },
        ]}
        onSend={async (_, edited) => sent.resolve(edited)}
      />
    );
    const { rerender } = render(form(""));
    // Someone else has filled it in meanwhile.
    rerender(form("ada"));
    expect(screen.getByLabelText<HTMLInputElement>("User").value).toBe("ada");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "b.example" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await sent.promise).toEqual({ host: "b.example" });
  });
});
