import type { ReactNode } from "react";
import { Link } from "wouter";
import type { HomeSummary } from "./read-summary.ts";

/** How many names there are, and of how many something is not known. Each opens those names. */
export function Figures({ total, unknown, conflicts }: HomeSummary) {
  return (
    <ul className="home-figures">
      {figure("/domains", total, total === 1 ? "name" : "names")}
      {figure("/domains?expiry=unknown", unknown, "without a date")}
      {figure("/domains?expiry=conflict", conflicts, "whose sources disagree")}
    </ul>
  );
}

function figure(href: string, number: number, words: string): ReactNode {
  return (
    <li>
      <Link href={href}>
        <b>{number.toLocaleString()}</b> {words}
      </Link>
    </li>
  );
}
