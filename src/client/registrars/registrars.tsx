import { useState } from "react";
import { Link, useLocation } from "wouter";
import { type Account, parseAccounts } from "../../shared/accounts.ts";
import { labelTerm } from "../../shared/filter-term.ts";
import { parseRegistrars, type Registrar, withoutPrice } from "../../shared/registrars.ts";
import { accountPath, wantsOf } from "../register/account-words.ts";
import { ProofDialog } from "../register/proof-dialog.tsx";
import { Loaded, useResource } from "../register/resource.tsx";
import { Screen, useTitle } from "../register/screen.tsx";
import { combine, useSettings } from "../register/suggestions.ts";
import { listPath } from "../screens.ts";
import { RequireRole } from "../session/gate.tsx";
import { hasRole } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { formatCount, formatDomainCount, formatNumber } from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";
import { ACCOUNTS_API, hasFailed, stateInWords, usePolling } from "./account-state.tsx";
import { AccountScreen } from "./account.tsx";
import { ConnectAccount } from "./connect.tsx";
import { countUnpriced, PriceDialog, RegistrarDialog } from "./registrar-dialogs.tsx";
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
      <Screen className="registrars tall-links" above="/registrars" lines={8}>
        <ProofDialog />
        <ConnectAccount />
      </Screen>
    );
  }
  return (
    <Screen
      className="registrars tall-links"
      lines={8}
      actions={
        <RequireRole least="owner">
          <Link href="/registrars/connect" className="button">
            Connect a registrar
          </Link>
        </RequireRole>
      }
    >
      <AccountList />
      <RegistrarList />
    </Screen>
  );
}

function NamedAccount({ id }: { id: string }) {
  const [label, setLabel] = useState("Account");
  useTitle(id, label);
  return (
    <Screen className="registrars tall-links" heading={label} above="/registrars" lines={8}>
      <ProofDialog />
      <AccountScreen id={id} onLabel={setLabel} />
    </Screen>
  );
}

function RegistrarList() {
  const registrars = useResource("/api/registrars", parseRegistrars);
  const settings = useSettings();
  const [open, setOpen] = useState<{ kind: "edit" | "prices"; registrar: Registrar }>();
  const close = () => setOpen(undefined);
  const edit = (registrar: Registrar) => (
    <div className="row">
      <Button
        size="small"
        aria-label={`Price list of ${registrar.name}`}
        onClick={() => setOpen({ kind: "prices", registrar })}
      >
        Price list
      </Button>
      <Button
        size="small"
        aria-label={`Edit ${registrar.name}`}
        onClick={() => setOpen({ kind: "edit", registrar })}
      >
        Edit
      </Button>
    </div>
  );
  const editColumn = { label: "Edit", kind: "end", isObvious: true, show: edit } as const;

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
                  <Link href="/domains/import">Import</Link> a list, or{" "}
                  <Link href="/domains?add">add a domain</Link>.
                </>
              )}
            </p>
          </Empty>
        ) : (
          <>
            <section>
              <h2>Registrars in use</h2>
              <Table
                columns={[...REGISTRAR_COLUMNS, ...(hasRole("editor") ? [editColumn] : [])]}
                rows={items}
                keyOf={({ key }) => key}
                name="Registrars in use"
              />
              <p className="note">
                A price list gives a renewal price to every domain that has none of its own.
              </p>
            </section>
            {open?.kind === "edit" && (
              <RegistrarDialog
                registrar={open.registrar}
                others={items.filter(({ key }) => key !== open.registrar.key)}
                onClose={close}
              />
            )}
            {open?.kind === "prices" && (
              <PriceDialog registrar={open.registrar} currency={currency} onClose={close} />
            )}
          </>
        )
      }
    </Loaded>
  );
}

const REGISTRAR_COLUMNS: readonly Column<Registrar>[] = [
  { label: "Registrar", show: ({ name }) => name },
  {
    label: "Domains",
    isObvious: true,
    show: ({ name, names }) => (
      <Link href={listPath({ registrar: labelTerm(name) })}>{formatDomainCount(names)}</Link>
    ),
  },
  {
    label: "Prices",
    isObvious: true,
    show(registrar) {
      const { length } = registrar.prices;
      const missing = countUnpriced(withoutPrice(registrar));
      return (
        <>
          {length > 0 && `${formatCount(length, "list price")} `}
          {missing > 0 && <span className="wanting">{formatNumber(missing)} without a price</span>}
        </>
      );
    },
  },
  {
    label: "Login",
    isObvious: true,
    show: ({ name, loginUrl }) =>
      loginUrl && (
        <a href={loginUrl} target="_blank" rel="noreferrer">
          Log in<span className="unseen"> at {name} (opens a new tab)</span>
        </a>
      ),
  },
];

function AccountList() {
  const accounts = useResource(ACCOUNTS_API, parseAccounts);
  usePolling(accounts.value?.items ?? [], accounts.reload);
  if (accounts.value?.items.length === 0 && !hasRole("owner")) return null;
  return (
    <section>
      <h2>Accounts that are read every day</h2>
      <Loaded of={accounts} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="note">
              An account that is connected is read once a day and keeps expiry dates, auto-renew and
              prices current. Nothing is ever changed there.
            </p>
          ) : (
            <Table
              columns={ACCOUNT_COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
              name="Registrar accounts"
            />
          )
        }
      </Loaded>
    </section>
  );
}

const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  { label: "Account", show: ({ id, label }) => <Link href={accountPath(id)}>{label}</Link> },
  {
    label: "To do",
    isObvious: true,
    show: (account) => {
      const failed = account.state === "on" && hasFailed(account) && "The last reading failed";
      return [failed || [], wantsOf(account)].flat().map((want) => (
        <span key={want} className="wanting">
          {want}
        </span>
      ));
    },
  },
  { label: "Read", isObvious: true, show: stateInWords },
];
