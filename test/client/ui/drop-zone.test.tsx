import { createEvent, fireEvent, render } from "@testing-library/react";
import { describe, expect, mock, test } from "bun:test";
import { DropZone } from "../../../src/client/ui/drop-zone.tsx";

const one = new File(["a"], "one.csv");
const two = new File(["b"], "two.csv");

function show() {
  const onFiles = mock<(files: readonly File[]) => void>(() => undefined);
  const view = render(<DropZone label="Drop a file" hint="Any file" onFiles={onFiles} />);
  return { onFiles, ...view };
}

function drop(files: File[], types = ["Files"]) {
  const event = createEvent.drop(window);
  Object.defineProperty(event, "dataTransfer", { value: { files, types } });
  fireEvent(window, event);
  return event;
}

describe("DropZone", () => {
  test("takes files that are dropped anywhere, and keeps the browser from opening them", () => {
    const { onFiles, unmount } = show();
    expect(drop([one, two]).defaultPrevented).toBe(true);
    expect(drop([], ["text/plain"]).defaultPrevented).toBe(false);
    unmount();
    expect(drop([one]).defaultPrevented).toBe(false);
    expect(onFiles.mock.calls).toEqual([[[one, two]]]);
  });
});
