import { Dropdown } from "../../ui/dropdown.tsx";
import { type ColumnKey, columnKeys, columnLabels } from "./columns.tsx";

/** The menu that chooses columns. It is for this device: an address that is sent does not carry it. */
export function ColumnMenu({
  chosen,
  onChoose,
}: {
  chosen: readonly ColumnKey[];
  onChoose: (chosen: ColumnKey[]) => void;
}) {
  const turn = (key: ColumnKey, on: boolean) =>
    onChoose(columnKeys.filter((each) => (each === key ? on : chosen.includes(each))));
  return (
    <Dropdown label="Columns">
      <fieldset className="column-menu">
        <legend>Columns beside the name</legend>
        {columnKeys.map((key) => (
          <label key={key} className={`check of-${key}`}>
            <input
              type="checkbox"
              checked={chosen.includes(key)}
              onChange={({ target }) => turn(key, target.checked)}
            />
            {columnLabels[key]}
          </label>
        ))}
      </fieldset>
    </Dropdown>
  );
}
