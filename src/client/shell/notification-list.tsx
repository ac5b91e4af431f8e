import { dismiss, type Notification, useNotifications } from "../ui/notifications.ts";
import { Button } from "../ui/button.tsx";
import { focusHeading } from "../ui/page.ts";
import "./notification-list.css";

/** Shows the notifications over every screen. Always on the page, so that new ones are read out. */
export function NotificationList() {
  const notifications = useNotifications();
  return (
    <div className="notification-list" aria-live="polite">
      {notifications.map((each) => (
        <Item key={each.text} notification={each} />
      ))}
    </div>
  );
}

function Item({ notification }: { notification: Notification }) {
  const { text, action } = notification;
  function close() {
    dismiss(notification);
    // The button that had the focus is gone. The screen stays where it was scrolled to.
    focusHeading({ preventScroll: true });
  }
  return (
    <div className="notification-list__item">
      <p>{text}</p>
      {action && (
        <Button
          onClick={() => {
            close();
            action.onAction();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button look="quiet" aria-label="Dismiss" onClick={close}>
        ×
      </Button>
    </div>
  );
}
