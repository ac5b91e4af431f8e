import type { ReactNode } from "react";
import "./notice.css";

/** A message box. Screen readers announce `danger` at once and the other tones when idle. */
export function Notice({
  tone = "danger",
  children,
}: {
  tone?: "danger" | "warn" | "calm";
  children: ReactNode;
}) {
  return (
    <div className={`notice ${tone}`} role={tone === "danger" ? "alert" : "status"}>
      {children}
    </div>
  );
}
