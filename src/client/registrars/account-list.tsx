import { Link } from "wouter";
import { parseAccounts } from "../../shared/accounts.ts";
import { accountPath, wantsOf } from "../register/account-words.ts";
import { Loaded, useResource } from "../register/resource.tsx";
import { Only } from "../session/gate.tsx";
import { may } from "../session/session-store.ts";
import { ACCOUNTS_API, hasFailed, stateInWords, usePolling } from "./account-state.tsx";

export function AccountList() {
  const accounts = useResource(ACCOUNTS_API, parseAccounts);
  usePolling(accounts.value?.items ?? [], accounts.reload);
  if (accounts.value?.items.length === 0 && !may("owner")) return null;
  return (
    <section>
      <div className="row account-head">
        <h2>Registrar accounts</h2>
        <Only least="owner">
          <Link href="/registrars/connect" className="button">
            Connect a registrar
          </Link>
        </Only>
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
