import { Gate, type Name, Names, useAnswer } from "./yardstick-session.tsx";

const today = new Date().toISOString().slice(0, 10);

export default function Home() {
  return (
    <>
      <h1>Home</h1>
      <p>What there is to see.</p>
      <Gate>
        <Expired />
      </Gate>
    </>
  );
}

function Expired() {
  const summary = useAnswer<{ work: { expired: { items: Name[] } } }>(
    `/api/summary?today=${today}`,
  );
  return summary ? <Names items={summary.work.expired.items} /> : <p>Loading…</p>;
}
