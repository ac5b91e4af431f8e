import { type ComponentProps, useEffect, useState } from "react";
import { Link, useSearch } from "wouter";
import { Gate, RequireRole } from "../session/gate.tsx";
import { Loaded, useResource } from "../register/resource.tsx";
import { currentPerson, useSession } from "../session/session-store.ts";
import { dayLanguage, formatDomainCount, localToday } from "../ui/format.ts";
import { useFocusFallback } from "../ui/page.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { tryStorage } from "../ui/preferences.ts";
import { Skeleton } from "../ui/notice.tsx";
import type { HomeHeading } from "./overview.tsx";
import "../common.ts";
import "./home.css";

const waiting = <Skeleton lines={8} />;
/** Scripts of their own: they load while the server answers, after the heading. */
const Overview = lazyCode(() => import("./overview.tsx"), waiting);
const News = lazyCode(() => import("./news.tsx"));
const Board = lazyCode(() => import("./board.tsx"), waiting);

/** Screen `/home`: what to do next, which its heading sums up, then the register. */
export default function Home() {
  useFocusFallback();
  const [said, setSaid] = useState<HomeHeading>();

  return (
    <div className="screen home">
      <header className="head">
        <div>
          <h1 tabIndex={-1}>
            {said?.answer ?? "Home"}
            {said?.day && <span lang={dayLanguage()}> {said.day}</span>}
          </h1>
          {said && (
            <p className="note">
              {said.after}
              {said.before > 0 && (
                <>
                  {" "}
                  <Link href={said.href}>{formatDomainCount(said.before)}</Link>{" "}
                  {said.before === 1 ? "renews by itself" : "renew by themselves"} before.
                </>
              )}
            </p>
          )}
        </div>
        {said && (
          <RequireRole least="editor">
            <div className="row">
              <Link href="/domains/import" className="button">
                Import
              </Link>
              <Link href="/domains?add" className="button" aria-label="Add a domain">
                + <span>Add a domain</span>
              </Link>
            </div>
          </RequireRole>
        )}
      </header>
      <Gate waiting={waiting}>
        <Content onAnswer={setSaid} />
      </Gate>
    </div>
  );
}

/** `overview.tsx` parses it: the table of fields would come before the heading. */
const parseAnswer = (json: unknown) => ({ json });

function Content({ onAnswer }: Pick<ComponentProps<typeof Overview>, "onAnswer">) {
  const given = new URLSearchParams(useSearch()).get("person");
  const asked = ["me", "all"].find((each) => each === given);
  const key = `home-of ${currentPerson()}`;
  // A person whose domains are gone by now would see nothing.
  const kept = tryStorage(() => localStorage.getItem(key)) === "all" ? "all" : "auto";
  const whose = asked ?? kept;
  useEffect(() => void (asked && tryStorage(() => localStorage.setItem(key, asked))), [asked, key]);
  const session = useSession();
  // An API without roles may refuse the parameter.
  const person = "role" in session && session.role ? `&person=${whose}` : "";
  const url = `/api/summary?today=${localToday()}${person}`;
  const answer = useResource(url, parseAnswer);
  useEffect(() => [Overview, News, Board].forEach((part) => part.preload()), []);
  return (
    <Loaded of={answer} lines={8}>
      {({ json }) => <Overview json={json} onAnswer={onAnswer} News={News} Board={Board} />}
    </Loaded>
  );
}
