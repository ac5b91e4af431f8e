/** How bad a finding is, the worst first. Apart from the findings, of which home needs no more. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof SEVERITIES)[number];
