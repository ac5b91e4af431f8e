import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import "./drop-zone.css";

interface Props {
  label: ReactNode;
  hint?: ReactNode;
  onFile: (file: File) => void;
}

/**
 * A file input that also accepts one file dropped anywhere on the page, where the browser would
 * otherwise leave the page and open it.
 */
export function DropZone({ label, hint, onFile }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  const [several, setSeveral] = useState(false);

  function take(files: FileList | null | undefined) {
    const [file, ...rest] = files ?? [];
    setSeveral(rest.length > 0);
    if (file && rest.length === 0) onFile(file);
  }
  const drop = useEffectEvent((data: DataTransfer | null) => take(data?.files));

  useEffect(() => {
    const on = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type === "dragover");
      if (event.type === "drop") drop(event.dataTransfer);
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

  return (
    <div className={over ? "drop-zone over" : "drop-zone"}>
      <input
        id={id}
        className="unseen"
        type="file"
        aria-describedby={hint || several ? `${id}n` : undefined}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // Without this, choosing the same file again after a correction fires no event.
          currentTarget.value = "";
        }}
      />
      <label htmlFor={id}>{label}</label>
      {(hint || several) && (
        <output id={`${id}n`} className={several ? "field-error" : "field-hint"}>
          {several ? "Choose one file at a time." : hint}
        </output>
      )}
    </div>
  );
}
