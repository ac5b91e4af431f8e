import { Link } from "wouter";

/** A name of the register, as far as the yardstick shows it. */
export interface Name {
  id: string;
  name: string;
}

/** Links to names; the yardstick's areas share it. */
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
