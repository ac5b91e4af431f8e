import { Link } from "wouter";
import { Gate } from "../session/gate.tsx";
import { Breadcrumbs } from "../ui/breadcrumbs.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useFocusFallback } from "../ui/use-focus-fallback.ts";
import { Account } from "./account.tsx";
import { DisplaySettings } from "./display-settings.tsx";
import { RegisterSettings } from "./register-settings.tsx";
import "./settings.css";

/** Screen `/settings`: those of the register, of this browser and of the account. */
export default function Settings() {
  useFocusFallback();
  return (
    <div className="settings">
      <Breadcrumbs current="Settings">
        <Link href="/home">Home</Link>
      </Breadcrumbs>
      <h1 tabIndex={-1}>Settings</h1>
      <Gate waiting={<Skeleton lines={12} />}>
        <RegisterSettings />
        <DisplaySettings />
        <Account />
        <Data />
      </Gate>
    </div>
  );
}

/** Where to go for everything else about the data. */
function Data() {
  return (
    <section>
      <h2>Data</h2>
      <ul className="settings-links">
        <li>
          <a href="/api/domains.csv" download>
            Export all domains
          </a>
          <p>A CSV file, which can be imported again</p>
        </li>
        <li>
          <Link href="/domains/bin">Bin</Link>
          <p>Deleted domains can be restored for 30 days</p>
        </li>
        <li>
          <Link href="/registrars">Registrars</Link>
          <p>Names, login links and price lists</p>
        </li>
        <li>
          <Link href="/costs">Costs</Link>
          <p>By month or year, registrar, owner, tag or TLD</p>
        </li>
        <li>
          <Link href="/checks">Live checks</Link>
          <p>What registries, DNS and your websites say of each domain</p>
        </li>
      </ul>
    </section>
  );
}
