import { Gate } from "../session/gate.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useKeptFocus } from "../ui/use-kept-focus.ts";
import { Wizard } from "./wizard.tsx";
import "./import.css";

/** Screen `/domains/import`: from a registrar's export to names in the register, and back. */
export default function ImportNames() {
  useKeptFocus();
  return (
    <div className="import">
      <h1 tabIndex={-1}>Import names</h1>
      <Gate waiting={<Skeleton lines={8} />}>
        <Wizard />
      </Gate>
    </div>
  );
}
