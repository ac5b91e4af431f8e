/** How bad a finding is, the worst first. A file of its own, as home needs the findings for nothing else. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof SEVERITIES)[number];
