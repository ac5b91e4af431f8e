import { Gate, type Name, Names, useAnswer } from "./yardstick-session.tsx";

export default function Domains() {
  return (
    <>
      <h1>Domains</h1>
      <p>What there is to see.</p>
      <Gate>
        <List />
      </Gate>
    </>
  );
}

function List() {
  const page = useAnswer<{ items: Name[] }>("/api/domains?sort=expires%2Cname&limit=100");
  return page ? <Names items={page.items} /> : <p>Loading…</p>;
}
