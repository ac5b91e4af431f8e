import { Gate } from "../session/gate.tsx";
import { useSession } from "../session/session-store.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Register } from "./register.tsx";
import { useFocusFallback } from "../ui/use-focus-fallback.ts";
import "./domains.css";

/** Screen `/domains`: every name, to be searched, narrowed, sorted, added, edited and deleted. */
export default function Domains() {
  useFocusFallback();
  return (
    <div className="domains">
      <h1 tabIndex={-1}>Domains</h1>
      <Gate waiting={<Skeleton lines={10} />}>
        <OwnRegister />
      </Gate>
    </div>
  );
}

function OwnRegister() {
  const session = useSession();
  return <Register email={"email" in session ? session.email : ""} />;
}
