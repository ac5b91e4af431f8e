import { Link } from "wouter";
import { parseDomainPage } from "../../../shared/domain.ts";
import { isNarrowed } from "../../../shared/filter.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { hasRole } from "../../session/session-store.ts";
import { sortLabel } from "../../../shared/view.ts";
import { listUrl } from "../../register/domains-api.ts";
import { useResource } from "../../register/resource.tsx";
import { useSettings } from "../../register/suggestions.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Notice, Skeleton } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/format.ts";
import { DomainTable } from "./domain-table.tsx";
import { useList } from "./list-context.ts";

/** The list in any state: loading, empty, failed, out of date, or complete. */
export function DomainList() {
  const { listing, settled, failure, retry, view, show } = useList();

  if (!listing) {
    return (
      <div className="stack">
        {failure && <Failure error={failure.error} onRetry={retry} />}
        {!failure && <Skeleton lines={10} label="Loading domains…" />}
      </div>
    );
  }

  const isEmpty = listing.total === 0 && settled;
  return (
    <div className="stack domain-list">
      {failure && (
        <div className="domains-failure">
          <Notice tone="warn">
            {failure.partial
              ? "The rows here could not be loaded."
              : settled
                ? "These rows may be out of date."
                : "These rows are from your previous search."}{" "}
            {explain(failure.error)} <Button onClick={retry}>Try again</Button>
          </Notice>
        </div>
      )}
      {listing.total > 0 && <DomainTable listing={listing} />}
      {isEmpty && !isNarrowed(view.filter) && <EmptyRegister />}
      {isEmpty && isNarrowed(view.filter) && (
        <Empty heading="No domains match your search and filters">
          <Button onClick={() => show({ ...view, filter: {} })}>Clear search and filters</Button>
        </Empty>
      )}
    </div>
  );
}

const HIDDEN = "archived=any";

/** No domains at all, or only lapsed and archived ones, which the list leaves out. */
function EmptyRegister() {
  const { add } = useList();
  const { value, error } = useResource(listUrl(HIDDEN, 1, 0), parseDomainPage);
  if (!value && error === undefined) return null;
  const hidden = value?.total ?? 0;
  return (
    <Empty
      heading={
        hidden > 0 ? `Only ${formatCount(hidden, "lapsed or archived domain")}` : "No domains yet"
      }
    >
      {hidden === 0 && (
        <p>
          {hasRole("editor")
            ? "Add your first domain, or import a list from your registrar."
            : "Owners and editors can add domains."}
        </p>
      )}
      <div className="row">
        {hidden > 0 && (
          <Link href={`/domains?${HIDDEN}`} className="button">
            Show {hidden === 1 ? "it" : "them"}
          </Link>
        )}
        {hasRole("editor") && (
          <>
            <Link href="/domains/import" className="button main">
              Import a list
            </Link>
            {hidden === 0 && <Button onClick={add}>Add the first domain</Button>}
            {hasRole("owner") && (
              <Link href="/registrars/connect" className="button">
                Connect a registrar
              </Link>
            )}
          </>
        )}
        {hasRole("viewer") && (
          <Link href="/domains/bin" className="button quiet">
            Bin
          </Link>
        )}
      </div>
    </Empty>
  );
}

/** Tells screen readers of the order, and everyone of prices that cannot be compared. */
export function SortNotes() {
  const [first] = useList().view.sort;
  const { value: known } = useSettings();
  if (!first) return null;
  const hasRates = !known || Object.keys({ ...known.reference.rates, ...known.rates }).length > 0;
  return (
    <>
      <output className="unseen">
        {`Sorted by ${sortLabel(first.field)}${first.descending ? ", descending" : ""}.`}
      </output>
      {first.field === "price" && !hasRates && (
        <p className="note">
          Sorted per currency.
          {hasRole("owner") && (
            <>
              {" "}
              To compare currencies, <Link href="/settings">set exchange rates</Link>.
            </>
          )}
        </p>
      )}
    </>
  );
}
