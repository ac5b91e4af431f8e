import type { ComponentProps } from "react";
import "./button.css";

/**
 * Submits a form only with `type="submit"`. Use `primary` once per form or screen. A held Enter
 * presses it once: the focus may be on another button by then.
 */
export function Button({
  look = "plain",
  ...rest
}: ComponentProps<"button"> & { look?: "plain" | "primary" | "danger" | "quiet" }) {
  return (
    <button
      type="button"
      className={`button ${look}`}
      onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
      {...rest}
    />
  );
}
