import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { Link } from "wouter";

interface Session {
  state: string;
}

/** Null while nobody knows. */
const SessionContext = createContext<Session | null>(null);

/** What a URL answers, asked for in an effect, as React's own introduction does it. */
export function useAnswer<T>(url: string): T | null {
  const [answer, setAnswer] = useState<T | null>(null);
  useEffect(() => {
    fetch(url)
      .then((response) => response.json())
      .then(setAnswer);
  }, [url]);
  return answer;
}

/** Asks who is signed in as soon as the application is mounted, while its lazy area is on the way. */
export function WithSession({ children }: { children: ReactNode }) {
  const session = useAnswer<Session>("/api/token");
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Shows `children` to whoever is signed in, and a form to everybody else. */
export function Gate({ children }: { children: ReactNode }) {
  const session = use(SessionContext);
  if (!session) return <p>Loading…</p>;
  return session.state === "signed-in" ? children : <SignIn />;
}

function SignIn() {
  const [shown, setShown] = useState(false);
  return (
    <form>
      <h2>Sign in</h2>
      <label>
        E-mail address <input name="email" type="email" required />
      </label>
      <label>
        Password <input name="password" type={shown ? "text" : "password"} required />
      </label>
      <label>
        <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} /> Show password
      </label>
      <button type="submit">Sign in</button>
    </form>
  );
}

export interface Name {
  id: string;
  name: string;
}

export function Names({ items }: { items: readonly Name[] }) {
  return (
    <ol>
      {items.map(({ id, name }) => (
        <li key={id}>
          <Link href={`/domains/${name}`}>{name}</Link>
        </li>
      ))}
    </ol>
  );
}
