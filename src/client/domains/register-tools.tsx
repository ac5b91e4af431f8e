import { Link } from "wouter";
import { Button } from "../ui/button.tsx";
import { ColumnMenu } from "./list/column-menu.tsx";
import type { ColumnKey } from "./list/columns.tsx";
import { toValues } from "./domain-values.ts";
import { FilterMenu } from "./filter/filter-menu.tsx";
import { ExportLink } from "./export-link.tsx";
import type { OpenDialog } from "./register-dialog.tsx";
import { SearchBox } from "./filter/search-box.tsx";
import { exportPath, type View } from "./filter/view.ts";

interface Props {
  view: View;
  columns: readonly ColumnKey[];
  onShow: (view: View, replace?: boolean) => void;
  onOpen: (dialog: OpenDialog) => void;
  onColumns: (columns: ColumnKey[]) => void;
}

/** What can be done above the list: search, narrow, choose columns, take in and out, add. */
export function RegisterTools({ view, columns, onShow, onOpen, onColumns }: Props) {
  const file = exportPath(view);
  return (
    <div className="domains-tools">
      <SearchBox q={view.q} onSearch={(q) => onShow({ ...view, q }, true)} />
      <FilterMenu view={view} onShow={onShow} />
      <ColumnMenu chosen={columns} onChoose={onColumns} />
      <ExportLink key={file} path={file} />
      <Button className="button quiet keys" onClick={() => onOpen({ help: true })}>
        Keys
      </Button>
      <span className="domains-adding">
        <Link href="/domains/import" className="button">
          Import
        </Link>
        <Button
          look="primary"
          onClick={() => onOpen({ form: { base: null, values: toValues(null) } })}
        >
          Add a name
        </Button>
      </span>
    </div>
  );
}
