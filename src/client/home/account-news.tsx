import { Link } from "wouter";
import { parseAccounts } from "../../shared/accounts.ts";
import { accountPath, wantsOf } from "../register/account-words.ts";
import { useResource } from "../register/resource.ts";
import { Notice } from "../ui/notice.tsx";

/** What accounts at registrars want of a person: one line for each of those that want something. */
export function AccountNews() {
  const { value } = useResource("/api/accounts", parseAccounts);
  return value?.items.map((account) => {
    const wants = wantsOf(account);
    if (wants.length === 0) return null;
    const isUrgent = account.state === "refused" || account.question !== null;
    return (
      <Notice key={account.id} tone={isUrgent ? "warn" : "calm"}>
        <span>
          <b>{account.label}:</b> <Link href={accountPath(account.id)}>{wants.join(" · ")}</Link>
        </span>
      </Notice>
    );
  });
}
