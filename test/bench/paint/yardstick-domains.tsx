/** An area of the yardstick. */
export default function Domains() {
  return (
    <>
      <h1>Domains</h1>
      <p>What there is to see.</p>
    </>
  );
}
