import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { AccountChange } from "../../shared/account-input.ts";
import {
  type Account,
  ACCOUNT_LIMITS,
  type AccountQuestion,
  parseAccount,
  parseRegistrarApis,
} from "../../shared/accounts.ts";
import { labelTerm } from "../../shared/filter-term.ts";
import { lossInWords } from "../register/account-words.ts";
import { FormDialog } from "../register/form.tsx";
import { invalidate, Loaded, useResource } from "../register/resource.tsx";
import { registerChanged } from "../register/undo.ts";
import { listPath } from "../screens.ts";
import { ConfirmButton } from "../session/action-dialog.tsx";
import { failedResponse, FormFailure } from "../session/failure.tsx";
import { RequireRole } from "../session/gate.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Notice } from "../ui/notice.tsx";
import { notify } from "../ui/notifications.ts";
import { AccountNames } from "./account-names.tsx";
import { accountUrl, APIS_URL, Refusal, stateInWords, usePolling } from "./account-state.tsx";
import { credentialFields, credentialsIn, Rights } from "./connect.tsx";

/** Screen `/registrars/accounts/<id>`: how current an account is, and which decisions it needs. */
export function AccountScreen({ id, onLabel }: { id: string; onLabel: (label: string) => void }) {
  const account = useResource(accountUrl(id), parseAccount);
  const { value, reload } = account;
  usePolling(value ? [value] : [], reload);
  useEffect(() => {
    if (value) onLabel(value.label);
  }, [value, onLabel]);

  // A complete list may have changed domains too.
  const completeAt = value?.completeAt;
  const shownAt = useRef(completeAt);
  useEffect(() => {
    if (shownAt.current !== undefined && shownAt.current !== completeAt) registerChanged();
    shownAt.current = completeAt;
  }, [completeAt]);

  if (failedResponse(account.error).status === 404) {
    return (
      <Empty heading="Account not found">
        <p>It may have been removed.</p>
        <Link href="/registrars" className="button">
          Registrars and accounts
        </Link>
      </Empty>
    );
  }
  return (
    <Loaded of={account} lines={10}>
      {(shown) => (
        <>
          <State account={shown} />
          {shown.question && <Shrunken account={shown} question={shown.question} />}
          {shown.completeAt !== null && <AccountNames account={shown} />}
        </>
      )}
    </Loaded>
  );
}

function State({ account }: { account: Account }) {
  const { id, label, state, version } = account;
  const path = accountUrl(id);
  const [isEditing, setEditing] = useState(false);
  const [, navigate] = useLocation();
  const { run, isBusy, error } = useAction((act: () => Promise<void>) => act());

  async function change(body: AccountChange) {
    const headers = { "If-Match": `"${version}"` };
    try {
      await callApi(path, { method: "PATCH", body, headers });
      setEditing(false);
      if (body.state === undefined) notify({ text: "Account saved." });
    } finally {
      // After a conflict, the next attempt has the new version.
      registerChanged();
    }
  }

  async function readNow() {
    await callApi(`${path}/read`, { method: "POST" });
    invalidate(path);
  }

  return (
    <>
      <Refusal account={account} />
      <div className="head">
        <div>
          <p className="note">
            <output>{stateInWords(account)}</output>{" "}
            <Link href={listPath({ account: labelTerm(label) })}>Domains of this account</Link>
          </p>
        </div>
        <div className="row">
          {state !== "paused" && hasRole("editor") && (
            <Button aria-disabled={isBusy} onClick={() => void run(readNow)}>
              Read now
            </Button>
          )}
          <RequireRole least="owner">
            <Button look={state === "refused" ? "main" : "plain"} onClick={() => setEditing(true)}>
              {state === "refused" ? "New credentials" : "Edit"}
            </Button>
            <Button
              aria-disabled={isBusy}
              onClick={() =>
                void run(() => change({ state: state === "paused" ? "on" : "paused" }))
              }
            >
              {state === "paused" ? "Resume" : "Pause"}
            </Button>
            <ConfirmButton
              label="Remove"
              heading={`Remove ${label}?`}
              action="Remove"
              busyAction="Removing…"
              done={`${label} removed. Its domains stay in the register.`}
              onConfirm={async () => {
                await callApi(path, { method: "DELETE" });
                navigate("/registrars");
                registerChanged();
              }}
            >
              Its credentials are deleted and it is no longer read. Its domains and their reported
              dates stay. To stop for a while, pause it.
            </ConfirmButton>
          </RequireRole>
        </div>
      </div>
      <FormFailure error={error} />
      {isEditing && (
        <EditDialog account={account} onSend={change} onClose={() => setEditing(false)} />
      )}
    </>
  );
}

/** Renames an account and takes new credentials; only credentials if the old ones are refused. */
function EditDialog(props: {
  account: Account;
  onSend: (change: AccountChange) => Promise<void>;
  onClose: () => void;
}) {
  const { label, registrar, state } = props.account;
  const apis = useResource(APIS_URL, parseRegistrarApis);
  const api = apis.value?.items.find((each) => each.registrar === registrar);
  const isRefused = state === "refused";
  const labelField = {
    name: "label",
    label: "Label",
    hint: "Shown as the account of its domains.",
    maxLength: ACCOUNT_LIMITS.label,
    defaultValue: label,
  };
  return (
    <FormDialog
      heading={isRefused ? `New credentials for ${label}` : `Edit ${label}`}
      label="Account"
      action="Save"
      fields={[...(isRefused ? [] : [labelField]), ...(api ? credentialFields(api) : [])]}
      onSend={(_, { label: renamed, ...edited }) => {
        const fields = credentialsIn(edited);
        const isGiven = isRefused || Object.keys(fields).length > 0;
        return props.onSend({
          ...(renamed !== undefined && { label: renamed }),
          ...(isGiven && { fields }),
        });
      }}
      onClose={props.onClose}
    >
      <Loaded of={apis} lines={2}>
        {() => (
          <>
            {!isRefused && (
              <p className="note">
                Leave the credentials empty to keep them. New ones replace all of them.
              </p>
            )}
            {api && <Rights api={api} />}
          </>
        )}
      </Loaded>
    </FormDialog>
  );
}

/** A list that lacks too many names is not believed until an owner confirms it. */
function Shrunken({ account: { id }, question }: { account: Account; question: AccountQuestion }) {
  const { run, isBusy, error } = useAction(async (shrunken: "believe" | "wait") => {
    const body = { shrunken, was: question.was, now: question.now };
    const asked = callApi(`${accountUrl(id)}/answer`, { method: "POST", body });
    // After a conflict, the question has the new numbers.
    await asked.finally(registerChanged);
  });
  return (
    <section>
      <Notice tone="warn">
        <span>
          <b>{lossInWords(question)}. Did you remove domains from this account?</b> Nothing is
          marked as vanished until this is answered. If the domains are still yours, the key may see
          only some of them: a token that is limited to some domains, another sub-account, or a
          missing organization id.
        </span>
        {hasRole("owner") ? (
          <>
            <Button aria-disabled={isBusy} onClick={() => void run("believe")}>
              Yes, they were removed
            </Button>
            <Button aria-disabled={isBusy} onClick={() => void run("wait")}>
              Wait for the next list
            </Button>
          </>
        ) : (
          <span>An owner has to answer.</span>
        )}
      </Notice>
      <FormFailure error={error} />
    </section>
  );
}
