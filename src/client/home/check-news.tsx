import { useState } from "react";
import { Link } from "wouter";
import type { CheckNews } from "../../shared/register.ts";
import { Failure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Button } from "../ui/button.tsx";
import { formatDomainCount } from "../ui/format.ts";
import "./check-news.css";

/** What live checks have to say: whether they are wanted at all, and the critical findings. */
export function CheckNewsCards({ news, onChanged }: { news: CheckNews; onChanged: () => void }) {
  return (
    <>
      {news.critical > 0 && <Critical {...news} />}
      {news.ask && <Consent onAnswered={onChanged} />}
    </>
  );
}

function Critical({ critical, items }: CheckNews) {
  return (
    <section className="home-critical">
      <h2>
        Critical <Link href="/domains?finding=critical">{formatDomainCount(critical)}</Link>
      </h2>
      <ol className="home-list">
        {items.map(({ name, unicode, findings }) => (
          <li key={name}>
            <span>
              <Link href={`/domains/${name}`}>{unicode}</Link>
              <AsciiName name={name} unicode={unicode} />
            </span>
            <div>
              <b>{findings.map(({ label }) => label).join(" · ")}</b>
              <p>{findings[0]?.advice}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Asks once: either answer makes the card go away. */
function Consent({ onAnswered }: { onAnswered: () => void }) {
  const [failure, setFailure] = useState<{ on: boolean; error: unknown }>();

  async function answer(on: boolean) {
    try {
      await callApi("/api/checks", { method: "PUT", body: { on } });
      onAnswered();
    } catch (error) {
      setFailure({ on, error });
    }
  }

  return (
    <section className="home-consent">
      <h2>Check your domains live?</h2>
      <p>
        Freehold can ask registries, DNS and your websites whether each domain is what your register
        says. Registries and DNS resolvers will see the names.
      </p>
      {failure && <Failure error={failure.error} onRetry={() => void answer(failure.on)} />}
      <p>
        <Button look="primary" onClick={() => void answer(true)}>
          Turn on
        </Button>{" "}
        <Button onClick={() => void answer(false)}>Not now</Button>
      </p>
    </section>
  );
}
