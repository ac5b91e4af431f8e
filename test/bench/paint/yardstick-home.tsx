/** An area of the yardstick. */
export default function Home() {
  return (
    <>
      <h1>Home</h1>
      <p>What there is to see.</p>
    </>
  );
}
