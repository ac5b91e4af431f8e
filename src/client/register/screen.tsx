import type { ReactNode } from "react";
import { Link } from "wouter";
import { Skeleton } from "../ui/skeleton.tsx";
import { useFocusFallback } from "../ui/use-focus-fallback.ts";
import { Gate } from "../session/gate.tsx";
import { ChannelAlarm } from "./reminder-notices.tsx";
import "./breadcrumbs.css";

interface PlaceProps {
  /** The last of the breadcrumbs: the screen itself. */
  current: string;
  /** The screens between home and this one: what they are called, by their address. */
  above?: Readonly<Record<string, string>>;
}

interface Props extends Partial<PlaceProps> {
  className: string;
  heading: string;
  /** Lines of the skeleton that is shown until it is known who is signed in. */
  lines: number;
  children: ReactNode;
}

/** A screen of a person who is signed in: breadcrumbs, its heading, and its content. */
export function Screen({
  className,
  heading,
  current = heading,
  lines,
  children,
  ...place
}: Props) {
  useFocusFallback();
  return (
    <div className={`screen ${className}`}>
      <Breadcrumbs current={current} {...place} />
      <h1 tabIndex={-1}>{heading}</h1>
      <Gate waiting={<Skeleton lines={lines} />}>
        <ChannelAlarm />
        {children}
      </Gate>
    </div>
  );
}

/** Where a screen is: links to home and to the screens below it, then its own name. */
export function Breadcrumbs({ current, above }: PlaceProps) {
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumb">
      <ol className="breadcrumbs-list">
        {Object.entries({ "/home": "Home", ...above }).map(([href, name]) => (
          <li key={name}>
            <Link href={href}>{name}</Link>
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}
