import type { ReactNode } from "react";
import "./notice.css";

/** Something that has to be read now: spoken at once where it is bad, when idle where it is not. */
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
