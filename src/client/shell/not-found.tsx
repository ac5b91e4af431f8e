import { Link } from "wouter";

/** What a path that leads nowhere shows, inside the layout. */
export function NotFound() {
  return (
    <div className="not-found">
      <h1 tabIndex={-1}>There is nothing here</h1>
      <p>This address belongs to no screen. It may be mistyped, or the screen has moved.</p>
      <p>
        <Link href="/home">Go to the home screen</Link>
      </p>
    </div>
  );
}
