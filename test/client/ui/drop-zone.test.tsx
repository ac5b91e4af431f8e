import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, mock, test } from "bun:test";
import { DropZone } from "../../../src/client/ui/drop-zone.tsx";

const one = new File(["a"], "one.csv");
const two = new File(["b"], "two.csv");

function show() {
  const onFile = mock<(file: File) => void>(() => undefined);
  const view = render(<DropZone label="Drop a file" hint="Any file" onFile={onFile} />);
  return { onFile, ...view };
}

function drop(files: File[], types = ["Files"]) {
  const event = createEvent.drop(window);
  Object.defineProperty(event, "dataTransfer", { value: { files, types } });
  fireEvent(window, event);
  return event;
}

describe("DropZone", () => {
  test("takes a file that is chosen, by its label", () => {
    const { onFile } = show();
    fireEvent.change(screen.getByLabelText("Drop a file"), { target: { files: [one] } });
    expect(onFile.mock.calls).toEqual([[one]]);
  });

  test("takes a file that is dropped anywhere, and keeps the browser from opening it", () => {
    const { onFile } = show();
    expect(drop([one]).defaultPrevented).toBe(true);
    expect(onFile.mock.calls).toEqual([[one]]);
  });

  test("takes no two at once, and says so", () => {
    const { onFile } = show();
    drop([one, two]);
    expect(onFile).not.toHaveBeenCalled();
    expect(screen.getByText("Choose one file at a time.")).toBeDefined();
    drop([two]);
    expect(screen.getByText("Any file")).toBeDefined();
  });

  test("leaves alone what is dropped that is no file", () => {
    const { onFile } = show();
    expect(drop([], ["text/plain"]).defaultPrevented).toBe(false);
    expect(onFile).not.toHaveBeenCalled();
  });

  test("listens no longer when it is gone", () => {
    const { onFile, unmount } = show();
    unmount();
    expect(drop([one]).defaultPrevented).toBe(false);
    expect(onFile).not.toHaveBeenCalled();
  });
});
