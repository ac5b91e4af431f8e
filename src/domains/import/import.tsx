import { Gate } from "../../session/gate.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Wizard } from "./wizard.tsx";
import "./import.css";

/** Screen `/domains/import`: from a registrar's export to names in the register, and back. */
export default function ImportNames() {
  return (
    <div className="import">
      <h1 tabIndex={-1}>Import names</h1>
      <Gate waiting={<Skeleton lines={8} />}>
        <Wizard />
      </Gate>
    </div>
  );
}
