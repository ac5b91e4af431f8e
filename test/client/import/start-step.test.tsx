import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { pendingFiles } from "../../../src/client/register/pending-import.tsx";
import { setPreference } from "../../../src/client/ui/preferences.ts";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import {
  expectAbsent,
  expectFocus,
  hrefOf,
  press,
  pressLater,
  textsOf,
} from "../../support/elements.ts";
import { problem } from "../../support/fake-api.ts";
import { fakeImports, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { importOf } from "../../support/import-samples.ts";

const { api, serve } = fakeImports();

const box = () => screen.getByLabelText<HTMLTextAreaElement>("Or paste domains");

/** Pastes a name, and goes on with it. */
function paste() {
  fireEvent.change(box(), { target: { value: "one.example" } });
  press("Continue");
}

const fileOf = (name: string, content = "one.example") => new File([content], name);

const choose = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText("Drop files here, or choose them"), { target: { files } });

/** Answers uploads, one after the other; those that come after them are stored. */
function answerUploads(...outcomes: (Response | Promise<Response>)[]) {
  const { answer } = api;
  api.answer = (call) =>
    (call.path === "/api/upload/post" ? outcomes.shift() : undefined) ?? answer(call);
}
const stored = () => Response.json({ uploadId: "u", name: "x.csv", bytes: 1, sha256: "" });

describe("StartStep", () => {
  test("keeps pasted text while its screen is left, until it is imported", async () => {
    serve([importOf()]);
    await openWizard("/domains/import");
    fireEvent.change(box(), { target: { value: "one.example" } });
    expect(hasUnsavedChanges()).toBe(true);
    cleanup();
    await openWizard("/domains/import");
    expect(box().value).toBe("one.example");
    press("Continue");
    await stepHeading("Check the columns");
    expect(hasUnsavedChanges()).toBe(false);
    fireEvent.click(screen.getByRole("link", { name: "File" }));
    await stepHeading("Choose files");
    expect(box().value).toBe("");
  });

  test("asks for pasted names where there are none, says what is wrong with a file, and keeps what was pasted", async () => {
    serve([]);
    answerUploads(problem(413, "Expected at most 9 bytes."));
    await openWizard("/domains/import");
    press("Continue");
    screen.getByText(/Paste at least one domain/);
    // Screen readers read the fault with it.
    await expectFocus(box);
    expect(api.sent("POST /api/upload/post")).toHaveLength(0);
    paste();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("This server accepts files of up to 9 bytes.");
    fireEvent.click(within(alert).getByRole("button", { name: "Choose another file" }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(box().value).toBe("one.example");
  });

  test("calls an upload off, and tries one again", async () => {
    serve([importOf()]);
    answerUploads(new Promise(() => undefined), problem(503, "Too busy."));
    await openWizard("/domains/import");
    paste();
    screen.getByRole("progressbar");
    press("Cancel");
    expect(screen.queryByRole("progressbar")).toBeNull();
    press("Continue");
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
    press("Try again");
    await stepHeading("Check the columns");
  });

  test("uploads several files one after the other, says where each is, and goes on with the first", async () => {
    const answers = ["a.csv", "b.csv", "c.csv"].map(() => Promise.withResolvers<Response>());
    serve([importOf()]);
    answerUploads(...answers.map(({ promise }) => promise));
    await openWizard("/domains/import");
    choose(...["a.csv", "b.csv", "c.csv"].map((name) => fileOf(name)));
    const list = await screen.findByRole("list", { name: "Uploads" });
    const places = () => textsOf(within(list).getAllByRole("listitem"));
    expect(places()).toEqual([
      expect.stringContaining("Uploading “a.csv”"),
      expect.stringContaining("“b.csv” (11 bytes) is waiting"),
      expect.stringContaining("“c.csv” (11 bytes) is waiting"),
    ]);
    answers[0]?.resolve(stored());
    await within(list).findByText(/Uploading “b.csv”/);
    within(list).getByRole("link", { name: "Review a.csv" });
    answers[1]?.resolve(problem(422, "That is no list."));
    expect((await within(list).findByRole("alert")).textContent).toContain("That is no list.");
    answers[2]?.resolve(stored());
    await waitFor(() =>
      expect(within(list).getAllByRole("link", { name: /^Review/ })).toHaveLength(2),
    );
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("Choose files");
    fireEvent.click(within(list).getByRole("button", { name: "Choose another file" }));
    await stepHeading("Check the columns");
  });

  test("tries a file again without calling off the one that is on its way", async () => {
    const held = Promise.withResolvers<Response>();
    serve([importOf()]);
    answerUploads(problem(422, "That is no list."), held.promise);
    setPreference("numbers", "de-DE");
    await openWizard("/domains/import");
    choose(fileOf("a.csv", "x".repeat(1500)), fileOf("b.csv"));
    expect((await screen.findByRole("alert")).textContent).toContain("“a.csv” (1,5 kB)");
    setPreference("numbers", "browser");
    press("Try again");
    await screen.findByText(/Uploading “b.csv”/);
    held.resolve(stored());
    await stepHeading("Check the columns");
    expect(api.sent("POST /api/upload/post")).toHaveLength(3);
  });

  test("keeps what is ready in the list when more files come", async () => {
    const held = Promise.withResolvers<Response>();
    serve([importOf()]);
    answerUploads(stored(), held.promise);
    await openWizard("/domains/import");
    choose(fileOf("a.csv"), fileOf("b.csv"));
    await screen.findByRole("link", { name: "Review a.csv" });
    choose(fileOf("c.csv"));
    await screen.findByText(/“c.csv” \(11 bytes\) is waiting/);
    expect(screen.queryByRole("link", { name: "Review a.csv" }) === null).toBe(false);
    held.resolve(stored());
    await stepHeading("Check the columns");
  });

  test("goes straight to the preview of a layout that was mapped before", async () => {
    serve([importOf({ remembered: "2026-10-21T03:00:00.000Z" })]);
    pendingFiles.set([fileOf("dropped.csv")]);
    await openWizard("/domains/import");
    await stepHeading("Review changes");
    screen.getByText(/matched as they were on Oct 21, 2026/);
    fireEvent.click(screen.getByRole("link", { name: "Check them" }));
    await stepHeading("Check the columns");
  });

  test("sends a file again that did not reach the server, but none that was refused", async () => {
    serve([importOf()]);
    const { answer } = api;
    pendingFiles.set([fileOf("dropped.csv")]);
    for (const [outcome, shown, isKept] of [
      [() => new Promise<Response>(() => undefined), /Uploading “dropped.csv”/, true],
      [() => Promise.reject(new TypeError("offline")), /Can’t reach the server/, true],
      [() => problem(422, "That is no list."), /That is no list/, false],
    ] as const) {
      api.answer = (call) => (call.path === "/api/upload/post" ? outcome() : answer(call));
      await openWizard("/domains/import");
      await screen.findByText(shown);
      expect(hasUnsavedChanges()).toBe(isKept);
      cleanup();
      expect(hasUnsavedChanges()).toBe(isKept);
    }
    await openWizard("/domains/import");
    await screen.findByText(/names.csv/);
    expect(screen.queryByText(/dropped.csv/)).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  test("lists earlier imports, to be gone on with or looked at", async () => {
    const done = importOf({ id: "import-2", fileName: "done.csv", state: "committed" });
    serve([importOf(), done]);
    await openWizard("/domains/import");
    const name = "Continue with the unfinished names.csv";
    const begun = await screen.findByRole("link", { name });
    expect(begun.getAttribute("href")).toBe("/domains/import?id=import-1");
    expect(hrefOf("done.csv")).toContain("result");
  });

  test("discards one draft or all, and says why it cannot", async () => {
    const held = ["import-1", "import-2", "import-3"].map((id) => importOf({ id, fileName: id }));
    let refused = true;
    serve(held);
    const { answer } = api;
    api.answer = (call) => {
      if (call.method !== "DELETE") return answer(call);
      return refused ? problem(409, "It is no preview.") : new Response(null, { status: 204 });
    };
    await openWizard("/domains/import");
    await pressLater("Discard import-1");
    expect((await screen.findByRole("alert")).textContent).toContain("It is no preview.");
    refused = false;
    press("Discard import-1");
    await waitFor(() => expectAbsent(screen.queryByText(/import-1/)));
    expect(api.sent("DELETE /api/imports/import-1")).toHaveLength(2);
    press("Discard all drafts");
    await waitFor(() => expectAbsent(screen.queryByText(/import-[23]/)));
    expect(api.sent("DELETE /api/imports")[0]?.query.get("state")).toBe("preview");
  });
});
