import { useCallback, useEffect, useState } from "react";
import { callApi } from "../session/call-api.ts";
import { Failure } from "../session/failure.tsx";
import { parseList, parseRecord } from "../../shared/parse-json.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { FEW } from "./few.ts";
import { NameList } from "./name-list.tsx";
import { parseRow, type Row } from "./read-summary.ts";

/** The whole register, by date, where it is small. */
export default function EveryName() {
  const [items, setItems] = useState<Row[]>();
  const [error, setError] = useState<unknown>();

  const load = useCallback(() => {
    const leaving = new AbortController();
    callApi("/api/domains", {
      query: { sort: "expires,name", limit: FEW },
      signal: leaving.signal,
      parse: (body) => parseList(parseRecord(body).items, parseRow),
    })
      .then(setItems)
      .then(() => setError(undefined))
      .catch((problem: unknown) => leaving.signal.aborted || setError(problem));
    return () => leaving.abort();
  }, []);
  useEffect(load, [load]);

  return (
    <section>
      <h2>Every name</h2>
      {items && <NameList items={items} />}
      {error !== undefined && <Failure error={error} onRetry={load} />}
      {!items && error === undefined && <Skeleton lines={FEW} />}
    </section>
  );
}
