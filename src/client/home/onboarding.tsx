import { Link, useLocation } from "wouter";
import { ImportWays, pendingFiles } from "../register/pending-import.tsx";
import { Button } from "../ui/button.tsx";
import { RequireRole } from "../session/gate.tsx";
import { hasRole } from "../session/session-store.ts";
import { AccountRequests, SampleOffer } from "./news.tsx";

/** Home of an empty register: starts an import, or shows sample data. */
export default function Onboarding() {
  const [, navigate] = useLocation();

  function startImport(files: readonly File[]) {
    pendingFiles.set(files);
    navigate("/domains/import");
  }

  if (!hasRole("editor")) return <p>No domains for you yet. Owners and editors can add domains.</p>;
  return (
    <>
      <AccountRequests />
      <section>
        <h2 className="large">Add your first domains</h2>
        <ImportWays
          label="Drop a registrar export here, or choose a file"
          hint="CSV, Excel or JSON from any registrar. You’ll review everything before it is saved."
          pasteHint="One per line"
          rows={3}
          onFiles={startImport}
        >
          <div className="row">
            <Button type="submit" look="main">
              Review domains
            </Button>{" "}
            <Link href="/domains?add" className="button">
              Add a domain
            </Link>{" "}
            <RequireRole least="owner">
              <Link href="/registrars/connect" className="button">
                Connect a registrar
              </Link>
            </RequireRole>
          </div>
        </ImportWays>
        <SampleOffer />
      </section>
    </>
  );
}
