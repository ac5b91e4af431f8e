import type { ComponentProps } from "react";

/**
 * Submits a form only with `type="submit"`. Use `main` once per form or screen. A held Enter
 * presses it once: the focus may be on another button by then.
 */
export function Button({
  look = "plain",
  size = "",
  ...rest
}: ComponentProps<"button"> & {
  look?: "plain" | "main" | "danger" | "quiet";
  size?: "" | "small" | "icon" | "small icon";
}) {
  return (
    <button
      type="button"
      className={`button ${look} ${size}`.trim()}
      onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
      {...rest}
    />
  );
}
