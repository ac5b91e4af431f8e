import type { ReactNode } from "react";

interface Props {
  title: ReactNode;
  /** What can be done with it. */
  actions?: ReactNode;
  /** What is known of it. */
  children: ReactNode;
}

/** An item of a list in the settings. */
export function Item({ title, actions, children }: Props) {
  return (
    <li className="settings-item">
      <b>{title}</b>
      <p>{children}</p>
      {actions && <div className="row">{actions}</div>}
    </li>
  );
}
