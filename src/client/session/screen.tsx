import type { ReactNode } from "react";
import { Link } from "wouter";
import { Breadcrumbs } from "../ui/breadcrumbs.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useFocusFallback } from "../ui/use-focus-fallback.ts";
import { Gate } from "./gate.tsx";

interface Props {
  className: string;
  heading: string;
  /** The last of the breadcrumbs, where it is shorter than the heading. */
  current?: string;
  /** The screens between home and this one: what the breadcrumbs call them, by their address. */
  above?: Readonly<Record<string, string>>;
  /** Lines of the skeleton that is shown until it is known who is signed in. */
  lines: number;
  children: ReactNode;
}

/** A screen of a person who is signed in: breadcrumbs, its heading, and its content. */
export function Screen({ className, heading, current = heading, above, lines, children }: Props) {
  useFocusFallback();
  return (
    <div className={className}>
      <Breadcrumbs current={current}>
        {Object.entries({ "/home": "Home", ...above }).map(([href, name]) => (
          <Link key={href} href={href}>
            {name}
          </Link>
        ))}
      </Breadcrumbs>
      <h1 tabIndex={-1}>{heading}</h1>
      <Gate waiting={<Skeleton lines={lines} />}>{children}</Gate>
    </div>
  );
}
