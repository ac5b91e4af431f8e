import type { ReactNode } from "react";
import type { CheckKind, Reach } from "../../shared/check-summary.ts";
import { Notice } from "../ui/notice.tsx";
import { formatTimeFromNow } from "../ui/time-from-now.ts";

export const CHECK_TARGETS: Readonly<Record<CheckKind, { label: string; ports: string }>> = {
  registry: { label: "Registries", ports: "TCP 443" },
  registrar: { label: "Registrars", ports: "TCP 443" },
  whois: { label: "WHOIS servers", ports: "TCP 43" },
  dns: { label: "DNS resolvers", ports: "UDP and TCP 53" },
  delegation: { label: "Name servers", ports: "UDP and TCP 53" },
  tls: { label: "Certificates", ports: "TCP 443" },
  http: { label: "Websites", ports: "TCP 80 and 443" },
};

/** The time of the last answer: `3 hours ago`. */
export function lastInWords(answeredAt: string | null): string {
  return answeredAt === null ? "never" : formatTimeFromNow(answeredAt);
}

/** Says that nothing answers the live checks, or which kinds do not; otherwise nothing. */
export default function ReachNotice({ reach, children }: { reach: Reach; children?: ReactNode }) {
  const silent = reach.kinds.filter(({ isSilent }) => isSilent);
  const isBlind = reach.state === "silent";
  if (!isBlind && silent.length === 0) return null;
  const hasNoDates = silent.some(({ kind }) => kind === "registry" || kind === "whois");
  return (
    <Notice tone={isBlind ? "danger" : "warn"}>
      <span>
        <b>{isBlind ? "Live checks can’t reach the internet." : sayLast(silent)}</b>
        {isBlind && ` Last answer: ${lastInWords(reach.answeredAt)}.`}
        {isBlind && " Your dates come from imports only."}
        {!isBlind && hasNoDates && " Without them, dates come from imports only."}
      </span>
      {children}
    </Notice>
  );
}

/** Kinds that never answered in one sentence, others with their last answer. */
function sayLast(silent: Reach["kinds"]): string {
  const never = silent.filter(({ answeredAt }) => answeredAt === null);
  const names = never.map(({ kind }) => CHECK_TARGETS[kind].label).join(", ");
  const sentences = silent.flatMap(({ kind, answeredAt }) =>
    answeredAt === null
      ? []
      : `${CHECK_TARGETS[kind].label} last answered ${formatTimeFromNow(answeredAt)}.`,
  );
  return [...(names ? [`Never answered: ${names}.`] : []), ...sentences].join(" ");
}
