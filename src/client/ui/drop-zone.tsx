import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";

interface Props {
  label: ReactNode;
  hint: ReactNode;
  onFiles: (files: readonly File[]) => void;
}

/** A file input that also takes what is dropped anywhere on the page. */
export function DropZone({ label, hint, onFiles }: Props) {
  const id = useId();
  const over = useFileDrop(onFiles);
  return (
    <div className={over ? "drop-zone over" : "drop-zone"}>
      <input
        id={id}
        className="unseen"
        type="file"
        multiple
        aria-describedby={`${id}n`}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          if (files.length > 0) onFiles(files);
          // Otherwise, choosing the same file again fires no event.
          currentTarget.value = "";
        }}
      />
      <label htmlFor={id}>{label}</label>
      <span id={`${id}n`} className="field-hint">
        {hint}
      </span>
    </div>
  );
}

/**
 * Takes files dropped anywhere on the page, which the browser would otherwise open. Returns whether
 * any are over it now.
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const drop = useEffectEvent(onFiles);

  useEffect(() => {
    const on = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type === "dragover");
      const files = event.type === "drop" ? [...event.dataTransfer.files] : [];
      if (files.length > 0) drop(files);
    };
    // `relatedTarget` is null only when the pointer leaves the window.
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    addEventListener("dragover", on);
    addEventListener("drop", on);
    addEventListener("dragleave", leave);
    return () => {
      removeEventListener("dragover", on);
      removeEventListener("drop", on);
      removeEventListener("dragleave", leave);
    };
  }, []);
  return over;
}
