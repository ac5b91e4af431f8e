import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useParams } from "wouter";
import { Gate } from "../../session/gate.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useFocusFallback } from "../../ui/use-focus-fallback.ts";
import { Detail } from "./detail.tsx";
import "./domain.css";

/** Letters from which on a heading is set smaller. */
const LONG = 80;

/** Screen `/domains/<name>`: everything that is known of one name, and what became of it. */
export default function Domain() {
  useFocusFallback();
  const { domain = "" } = useParams();
  return <NamedDomain key={domain} name={domain} />;
}

function NamedDomain({ name }: { name: string }) {
  const [unicode, setUnicode] = useState(name);
  // The server renders one page for every name.
  const heading = useSyncExternalStore(
    () => () => undefined,
    () => unicode,
    () => "Domain",
  );
  useEffect(() => {
    // The address has the name in ASCII only.
    document.title = document.title.replace(name, () => unicode);
  }, [name, unicode]);

  return (
    <div className="domain">
      <div>
        <Link href="/domains">All domains</Link>
        <h1 tabIndex={-1} className={heading.length > LONG ? "long" : undefined}>
          {heading}
        </h1>
      </div>
      <Gate waiting={<Skeleton lines={10} />}>
        <Detail name={name} onKnown={setUnicode} />
      </Gate>
    </div>
  );
}
