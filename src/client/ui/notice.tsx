import type { ReactNode } from "react";
import "./notice.css";

interface Props {
  tone?: "danger" | "warn" | "calm";
  children: ReactNode;
}

/** A message box. Screen readers announce `danger` at once and the other tones when idle. */
export function Notice({ tone = "danger", children }: Props) {
  return (
    <div className={`notice ${tone}`} role={tone === "danger" ? "alert" : "status"}>
      {children}
    </div>
  );
}
