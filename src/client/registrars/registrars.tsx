import { useState } from "react";
import { Link } from "wouter";
import { parseRegistrars, type Registrar } from "../../shared/registrars.ts";
import { Failure } from "../session/failure.tsx";
import { Screen } from "../register/screen.tsx";
import { readSettings } from "../register/suggestions.ts";
import { callApi } from "../session/session-store.ts";
import { notifyUndoable } from "../register/undo.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { PriceDialog } from "./price-dialog.tsx";
import { RegistrarDialog } from "./registrar-dialog.tsx";
import "./registrars.css";

/** Screen `/registrars`: those in use, to rename, merge, and give a login link and a price list. */
export default function Registrars() {
  return (
    <Screen className="registrars" heading="Registrars" lines={8}>
      <RegistrarList />
    </Screen>
  );
}

async function readAll(signal: AbortSignal) {
  const [{ items }, { currency }] = await Promise.all([
    callApi("/api/registrars", { signal, parse: parseRegistrars }),
    readSettings(signal),
  ]);
  return { items, currency };
}

function RegistrarList() {
  const { value, error, reload } = useLoaded(readAll);
  const [open, setOpen] = useState<{ kind: "edit" | "prices"; registrar: Registrar }>();
  const close = () => setOpen(undefined);

  function onSaved(text: string, operation: string | null) {
    close();
    notifyUndoable(text, operation);
    reload();
  }

  if (!value) {
    return error === undefined ? (
      <Skeleton lines={8} />
    ) : (
      <Failure error={error} onRetry={reload} />
    );
  }
  const { items, currency } = value;
  if (items.length === 0) {
    return (
      <Empty heading="No registrars yet">
        <p>
          A registrar appears here with its first domain. <Link href="/domains/import">Import</Link>{" "}
          an export of yours, or <Link href="/domains?add">add a domain</Link>.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p>
        A price list gives a renewal price to every domain that has none of its own. Give a
        registrar the name of another to merge the two.
      </p>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      <ul className="list registrar-list tall-links">
        {items.map((registrar) => (
          <li key={registrar.key}>
            <Item
              registrar={registrar}
              onEdit={() => setOpen({ kind: "edit", registrar })}
              onPrices={() => setOpen({ kind: "prices", registrar })}
            />
          </li>
        ))}
      </ul>
      {open?.kind === "edit" && (
        <RegistrarDialog
          registrar={open.registrar}
          others={items.filter(({ key }) => key !== open.registrar.key)}
          onSaved={onSaved}
          onClose={close}
        />
      )}
      {open?.kind === "prices" && (
        <PriceDialog
          registrar={open.registrar}
          currency={currency}
          onSaved={onSaved}
          onClose={close}
        />
      )}
    </>
  );
}

function Item(props: { registrar: Registrar; onEdit: () => void; onPrices: () => void }) {
  const { registrar, onEdit, onPrices } = props;
  const { name, loginUrl, names, prices } = registrar;
  const listed = new Set(prices.map(({ tld }) => tld));
  const unpriced = registrar.unpriced.filter(({ tld }) => !listed.has(tld));
  const missing = unpriced.reduce((sum, each) => sum + each.names, 0);
  return (
    <>
      <div>
        <h2>{name}</h2>
        <p className="row">
          <Link href={`/domains?${new URLSearchParams({ registrar: name })}`}>
            {formatDomainCount(names)}
          </Link>
          {loginUrl !== null && (
            <a href={loginUrl} target="_blank" rel="noreferrer">
              Log in<span className="unseen"> at {name} (opens a new tab)</span>
            </a>
          )}
        </p>
      </div>
      <p className="row">
        {prices.length > 0 && (
          <>
            {formatNumber(prices.length)} {prices.length === 1 ? "list price" : "list prices"}
          </>
        )}
        {missing > 0 && (
          <span className="registrar-missing">{formatDomainCount(missing)} without a price</span>
        )}
      </p>
      <div className="row">
        <Button aria-label={`Price list of ${name}`} onClick={onPrices}>
          Price list
        </Button>
        <Button aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
      </div>
    </>
  );
}
