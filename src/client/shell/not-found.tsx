import { Link } from "wouter";

/** The screen of a path that no other screen has. */
export function NotFound() {
  return (
    <div className="not-found">
      <h1 tabIndex={-1}>Page not found</h1>
      <p>
        Check the address, or go to <Link href="/home">Home</Link>.
      </p>
    </div>
  );
}
