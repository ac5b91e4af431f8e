import { act, fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { Form, type FormValues } from "../../../src/client/register/form.tsx";
import { Check } from "../../../src/client/ui/choice.tsx";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import { press, type } from "../../support/elements.ts";
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
    type("Host", "b.example");
    press("Save");
    expect(await sent.promise).toEqual({ host: "b.example" });
  });

  test("keeps for the next Save what is typed while it is sent", async () => {
    const sent: FormValues[] = [];
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    render(
      <Form
        label="When"
        action="Save"
        fields={[
          { name: "days", label: "Days", defaultValue: "30" },
          { name: "hour", label: "Hour", defaultValue: "8" },
        ]}
        onSend={(_, edited) => {
          sent.push(edited);
          return answers[sent.length - 1]?.promise ?? Promise.resolve();
        }}
      />,
    );
    const save = () => press("Save");
    const answer = (at: number) => act(async () => answers[at]?.resolve());
    type("Days", "14");
    save();
    type("Hour", "9");
    await answer(0);
    expect(hasUnsavedChanges()).toBe(true);
    save();
    await answer(1);
    expect(sent).toEqual([{ days: "14" }, { hour: "9" }]);
    expect(hasUnsavedChanges()).toBe(false);
  });

  test("shows what someone else saved in what was saved here, but not in what is being typed", async () => {
    const sent: FormValues[] = [];
    const form = (days: string, zone: string, isQuiet: boolean) => (
      <Form
        label="When"
        action="Save"
        fields={[
          { name: "days", label: "Days", defaultValue: days },
          {
            name: "zone",
            label: "Zone",
            options: ["A", "B"].map((each) => [each, each]),
            defaultValue: zone,
          },
          { name: "user", label: "User" },
        ]}
        onSend={async (_, edited) => void sent.push(edited)}
      >
        <Check name="quiet" value="7" defaultChecked={isQuiet}>
          Sun
        </Check>
      </Form>
    );
    const { rerender } = render(form("30", "A", false));
    const box = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
    const save = () => act(async () => screen.getByRole("button", { name: "Save" }).click());
    type("Days", "14");
    type("Zone", "B");
    fireEvent.click(box("Sun"));
    await save();
    // Until the answer is read, what was saved stays.
    rerender(form("30", "A", false));
    expect([box("Days").value, box("Zone").value, box("Sun").checked]).toEqual(["14", "B", true]);
    rerender(form("14", "B", true));
    type("User", "ada");
    rerender(form("7", "A", false));
    expect([box("Days").value, box("Zone").value, box("Sun").checked]).toEqual(["7", "A", false]);
    expect(box("User").value).toBe("ada");
    type("Days", "14");
    rerender(form("21", "A", false));
    expect(box("Days").value).toBe("14");
    await save();
    expect(sent.at(-1)).toEqual({ days: "14", user: "ada" });
  });
});
