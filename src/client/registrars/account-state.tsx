import { useEffect } from "react";
import { refusalInWords } from "../../shared/account-words.ts";
import type { Account } from "../../shared/accounts.ts";
import { formatDomainCount } from "../ui/format.ts";
import { formatTimeFromNow } from "../ui/time-from-now.ts";
import { Notice } from "../ui/notice.tsx";
import { readBrand } from "../ui/page.ts";

export const ACCOUNTS_API = "/api/accounts";
export const accountUrl = (id: string) => `${ACCOUNTS_API}/${encodeURIComponent(id)}`;
export const APIS_URL = "/api/registrar-apis";

const POLL_MS = 2_000;
/** How far the clock of the server may be ahead. */
const CLOCK_SLACK_MS = 30_000;

function isBeingRead({ state, nextAt }: Account): boolean {
  return state === "on" && nextAt !== null && Date.parse(nextAt) <= Date.now() + CLOCK_SLACK_MS;
}

/** Calls `reload` every two seconds while an account is being read. */
export function usePolling(accounts: readonly Account[], reload: () => void): void {
  const isBusy = accounts.some(isBeingRead);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isBusy, reload]);
}

/** Says when an account was read, and will be: `Complete 4 hours ago, 312 domains.` */
export function stateInWords(account: Account): string {
  const { state, completeAt, nextAt, counts } = account;
  const complete =
    completeAt === null
      ? "Not read yet."
      : `Complete ${formatTimeFromNow(completeAt)}, ${formatDomainCount(counts.listed)}.`;
  if (state === "paused") return `Paused. ${complete}`;
  if (state === "refused") return complete;
  if (isBeingRead(account)) {
    return completeAt === null ? "Syncing for the first time…" : `${complete} Syncing now…`;
  }
  const next = nextAt === null ? "soon" : formatTimeFromNow(nextAt);
  return hasFailed(account)
    ? `${complete} ${readBrand()} tries again ${next}.`
    : `${complete} Next reading ${next}.`;
}

/** Whether the last reading failed. While the next one runs, that is no news. */
export function hasFailed(account: Account): boolean {
  const { state, outcome } = account;
  return state !== "paused" && outcome !== null && outcome !== "ok" && !isBeingRead(account);
}

export function Refusal({ account }: { account: Account }) {
  const { state, outcome, detail, completeAt } = account;
  const isRefused = state === "refused";
  if (!hasFailed(account)) return null;
  return (
    <Notice tone={isRefused ? "danger" : "warn"}>
      <span>
        <b>
          {isRefused
            ? "This account is no longer read."
            : completeAt === null
              ? "It could not be read yet."
              : "The last reading failed."}
        </b>{" "}
        {refusalInWords(outcome, detail)}
      </span>
    </Notice>
  );
}
