import { Link } from "wouter";

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
