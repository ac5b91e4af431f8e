import { useState } from "react";
import { Link, useLocation } from "wouter";
import { parseAccounts } from "../../shared/accounts.ts";
import {
  type ChangedRegistrar,
  isListed,
  parseChangedRegistrar,
  parseRegistrars,
  type Registrar,
  type RegistrarInput,
} from "../../shared/registrars.ts";
import { accountPath, wantsOf } from "../register/account-words.ts";
import { ProofDialog } from "../register/proof-dialog.tsx";
import { combine, Loaded, useResource } from "../register/resource.tsx";
import { Screen, useTitle } from "../register/screen.tsx";
import { useSettings } from "../register/suggestions.ts";
import { notifyUndoable, registerChanged } from "../register/undo.ts";
import { listPath } from "../screens.ts";
import { RequireRole } from "../session/gate.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { formatCount, formatDomainCount } from "../ui/format.ts";
import { ACCOUNTS_API, hasFailed, stateInWords, usePolling } from "./account-state.tsx";
import { AccountScreen } from "./account.tsx";
import { Connect } from "./connect.tsx";
import { PriceDialog } from "./price-dialog.tsx";
import { RegistrarDialog } from "./registrar-dialog.tsx";
import "../common.ts";
import "../common-editing.ts";
import "./registrars.css";

/** Screen `/registrars` and those below it: accounts, and the registrars in use. */
export default function Registrars() {
  const [path] = useLocation();
  const id = /^\/registrars\/accounts\/([^/]+)$/.exec(path)?.[1];
  if (id !== undefined) return <NamedAccount key={id} id={id} />;
  if (path === "/registrars/connect") {
    return (
      <Screen className="registrars" heading="Connect a registrar" above={ABOVE} lines={8}>
        <ProofDialog />
        <Connect />
      </Screen>
    );
  }
  return (
    <Screen className="registrars" heading="Registrars" lines={8}>
      <AccountList />
      <RegistrarList />
    </Screen>
  );
}

const ABOVE = { "/registrars": "Registrars" };

function NamedAccount({ id }: { id: string }) {
  const [label, setLabel] = useState("Account");
  useTitle(id, label);
  return (
    <Screen className="registrars" heading={label} above={ABOVE} lines={8}>
      <ProofDialog />
      <AccountScreen id={id} onLabel={setLabel} />
    </Screen>
  );
}

/** All domains of a registrar may move in one transaction. */
const SAVE_TIMEOUT_MS = 60_000;

/** Saves a registrar and closes its dialog; `say` words the notification. */
export type SaveRegistrar = (
  body: RegistrarInput,
  say: (changed: ChangedRegistrar) => string,
) => Promise<void>;

function RegistrarList() {
  const registrars = useResource("/api/registrars", parseRegistrars);
  const settings = useSettings();
  const [open, setOpen] = useState<{ kind: "edit" | "prices"; registrar: Registrar }>();
  const close = () => setOpen(undefined);

  const save: SaveRegistrar = async (body, say) => {
    const path = `/api/registrars/${encodeURIComponent(open?.registrar.key ?? "")}`;
    const parse = parseChangedRegistrar;
    const changed = await callApi(path, { method: "PATCH", body, timeout: SAVE_TIMEOUT_MS, parse });
    close();
    notifyUndoable(say(changed), changed.operation);
    registerChanged();
  };

  return (
    <Loaded of={combine(registrars, settings)} lines={8}>
      {([{ items }, { currency }]) =>
        items.length === 0 ? (
          <Empty heading="No registrars yet">
            <p>
              A registrar appears here with its first domain.
              {hasRole("editor") && (
                <>
                  {" "}
                  <Link href="/domains/import">Import</Link> an export of yours, or{" "}
                  <Link href="/domains?add">add a domain</Link>.
                </>
              )}
            </p>
          </Empty>
        ) : (
          <>
            <h2>Registrars in use</h2>
            <p className="note">
              A price list gives a renewal price to every domain that has none of its own.
            </p>
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
                onSave={save}
                onClose={close}
              />
            )}
            {open?.kind === "prices" && (
              <PriceDialog
                registrar={open.registrar}
                currency={currency}
                onSave={save}
                onClose={close}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

function Item(props: { registrar: Registrar; onEdit: () => void; onPrices: () => void }) {
  const { registrar, onEdit, onPrices } = props;
  const { name, loginUrl, names, prices } = registrar;
  const listed = new Set(prices.map(({ tld }) => tld));
  const unpriced = registrar.unpriced.filter(({ tld }) => !isListed(listed, tld));
  const missing = unpriced.reduce((sum, each) => sum + each.names, 0);
  return (
    <>
      <div>
        <h3>{name}</h3>
        <p className="row">
          <Link href={listPath({ registrar: name })}>{formatDomainCount(names)}</Link>
          {loginUrl !== null && (
            <a href={loginUrl} target="_blank" rel="noreferrer">
              Log in<span className="unseen"> at {name} (opens a new tab)</span>
            </a>
          )}
        </p>
      </div>
      <p className="row">
        {prices.length > 0 && formatCount(prices.length, "list price")}
        {missing > 0 && (
          <span className="registrar-missing">{formatDomainCount(missing)} without a price</span>
        )}
      </p>
      {hasRole("editor") && (
        <div className="row">
          <Button aria-label={`Price list of ${name}`} onClick={onPrices}>
            Price list
          </Button>
          <Button aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
        </div>
      )}
    </>
  );
}

export function AccountList() {
  const accounts = useResource(ACCOUNTS_API, parseAccounts);
  usePolling(accounts.value?.items ?? [], accounts.reload);
  if (accounts.value?.items.length === 0 && !hasRole("owner")) return null;
  return (
    <section>
      <div className="row account-head">
        <h2>Registrar accounts</h2>
        <RequireRole least="owner">
          <Link href="/registrars/connect" className="button">
            Connect a registrar
          </Link>
        </RequireRole>
      </div>
      <Loaded of={accounts} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="note">
              An account that is connected is read once a day and keeps expiry dates, auto-renew and
              prices current. Nothing is ever changed there.
            </p>
          ) : (
            <ul className="list account-list tall-links">
              {items.map((account) => (
                <li key={account.id}>
                  <h3>
                    <Link href={accountPath(account.id)}>{account.label}</Link>
                  </h3>
                  <p>
                    {stateInWords(account)}
                    {account.state === "on" && hasFailed(account) && (
                      <span className="registrar-missing">The last reading failed</span>
                    )}
                    {wantsOf(account).map((want) => (
                      <span key={want} className="registrar-missing">
                        {want}
                      </span>
                    ))}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
