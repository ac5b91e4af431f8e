import type { ComponentProps } from "react";
import "./button.css";

/** A button that submits a form only with `type="submit"`. Use `primary` once per form or screen. */
export function Button({
  look = "plain",
  ...rest
}: ComponentProps<"button"> & { look?: "plain" | "primary" | "danger" | "quiet" }) {
  return <button type="button" className={`button ${look}`} {...rest} />;
}
