import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { NotificationList } from "../../src/client/shell/layout.tsx";

/** Renders a screen beside the notifications, as the page shows them: what it says of a change is there. */
export function renderScreen(screen: ReactNode) {
  return render(
    <>
      {screen}
      <NotificationList />
    </>,
  );
}
