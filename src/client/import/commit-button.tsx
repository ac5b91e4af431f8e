import { useState } from "react";
import { HttpError } from "../http.ts";
import type { Import } from "../../shared/import-contract.ts";
import { explain } from "../session/explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { commitKey, dropCommitKey, wasCommitSent } from "./commit-key.ts";
import { commitImport, readImport } from "./import-api.ts";
import { namesInWords } from "../ui/names-in-words.ts";
import { useLostCommit } from "./use-lost-commit.ts";

/** Writes the import into the register, and says how that goes. */
export function CommitButton({
  id,
  writes,
  onCommitted,
}: {
  id: string;
  writes: number;
  onCommitted: (done: Import) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [lost, setLost] = useState(() => wasCommitSent(id));

  function settle(done: Import) {
    dropCommitKey(id);
    onCommitted(done);
  }
  useLostCommit(id, lost && !busy, settle);

  async function commit() {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      settle(await commitImport(id, commitKey(id)));
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 0;
      // Another tab may have been quicker.
      const found = status === 409 ? await readImport(id).catch(() => null) : null;
      if (found && found.state !== "preview") {
        settle(found);
        return;
      }
      const answered = status > 0;
      if (answered) dropCommitKey(id);
      setLost(!answered);
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <>
      {failure !== undefined && <Notice>{explain(failure)}</Notice>}
      {lost && !busy && (
        <Notice tone="warn">
          The last try got no answer. Try again: nothing is written twice.
        </Notice>
      )}
      {busy ? (
        <output className="import-tally">
          Importing {namesInWords(writes)}… <progress aria-label="Importing" />
        </output>
      ) : (
        <span className="import-tally">All of it is written, or nothing.</span>
      )}
      <Button look="primary" aria-disabled={busy} onClick={() => void commit()}>
        Import {namesInWords(writes)}
      </Button>
    </>
  );
}
