import { Link } from "wouter";
import { parseAccounts } from "../../shared/accounts.ts";
import { accountPath, wantsOf } from "../register/account-words.ts";
import { useResource } from "../register/resource.tsx";
import { Notice } from "../ui/notice.tsx";
import { formatNumber } from "../ui/format.ts";

/** Accounts named on home; more would push the work away. */
const MAX_NAMED = 2;

/** What accounts need from a person, the most urgent first. */
export function AccountNews() {
  const { value } = useResource("/api/accounts", parseAccounts);
  const wanting = (value?.items ?? [])
    .map((account) => ({
      account,
      wants: wantsOf(account),
      isUrgent: account.state === "refused" || account.question !== null,
    }))
    .filter(({ wants }) => wants.length > 0)
    .toSorted((one, other) => Number(other.isUrgent) - Number(one.isUrgent));
  if (wanting.length === 0) return null;
  return (
    <Notice tone={wanting[0]?.isUrgent ? "warn" : "calm"}>
      {wanting.slice(0, MAX_NAMED).map(({ account: { id, label }, wants }) => (
        <span key={id}>
          <b>{label}:</b> <Link href={accountPath(id)}>{wants.join(" · ")}</Link>
        </span>
      ))}
      {wanting.length > MAX_NAMED && (
        <Link href="/registrars">{formatNumber(wanting.length - MAX_NAMED)} more</Link>
      )}
    </Notice>
  );
}
