import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import "./drop-zone.css";

/**
 * Takes one file: chosen here, or dropped anywhere on the page, where a browser would otherwise
 * leave the page and open it.
 *
 * @param label What is asked for; it names the control.
 */
export function DropZone({
  label,
  hint,
  onFile,
}: {
  label: ReactNode;
  hint?: ReactNode;
  onFile: (file: File) => void;
}) {
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
    // Only leaving the window has no element that the pointer goes to.
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
          // The same file may be chosen again, mended.
          currentTarget.value = "";
        }}
      />
      <label htmlFor={id}>{label}</label>
      {(hint || several) && (
        <output id={`${id}n`} className={several ? "field-error" : "field-hint"}>
          {several ? "One file at a time, please." : hint}
        </output>
      )}
    </div>
  );
}
