import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useParams } from "wouter";
import { Gate } from "../../session/gate.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useFocusFallback } from "../../ui/use-focus-fallback.ts";
import { DomainDetail } from "./domain-detail.tsx";
import "./domain.css";

/** Longer headings are set in a smaller size. */
const MAX_LARGE_HEADING = 80;

/** Screen `/domains/<name>`: everything about one domain, and its history. */
export default function Domain() {
  useFocusFallback();
  const { domain = "" } = useParams();
  return <NamedDomain key={domain} name={domain} />;
}

function NamedDomain({ name }: { name: string }) {
  const [unicode, setUnicode] = useState(name);
  // The server prerenders one page for all names.
  const heading = useSyncExternalStore(
    () => () => undefined,
    () => unicode,
    () => "Domain",
  );
  useEffect(() => {
    // The router sets the title from the address, which has the name in ASCII.
    document.title = document.title.replace(name, () => unicode);
  }, [name, unicode]);

  return (
    <div className="domain">
      <div>
        <Link href="/domains">All domains</Link>
        <h1 tabIndex={-1} className={heading.length > MAX_LARGE_HEADING ? "long" : undefined}>
          {heading}
        </h1>
      </div>
      <Gate waiting={<Skeleton lines={10} />}>
        <DomainDetail name={name} onName={setUnicode} />
      </Gate>
    </div>
  );
}
