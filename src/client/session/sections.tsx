import { Link, useLocation } from "wouter";
import { screens, sectionOf, sections } from "../screens.ts";
import { Button } from "../ui/button.tsx";
import { Dropdown } from "../ui/dropdown.tsx";
import { lazyCode } from "../ui/lazy-code.ts";
import { isForNewPassword, useLinkCode } from "./link-code.ts";
import { paletteKeyName, paletteOpen } from "./palette-state.ts";
import { hasRole, useSession } from "./session-store.ts";

const PersonMenu = lazyCode(() => import("./person-menu.tsx"), null);

/**
 * The sections of the register, the palette and the person's menu: the first line of the content. It
 * is empty, as high as ever, until the session is known and while a form asks who is there.
 */
export function Sections() {
  const session = useSession();
  const link = useLinkCode();
  const [path] = useLocation();
  if (session.state !== "signed-in" || isForNewPassword(link)) return <div className="sections" />;
  const { email, name = email } = session;
  const here = sectionOf(path);
  const links = (
    <ul>
      {sections.map(
        ([href, label]) =>
          hasRole(screens[href]?.role ?? "limited") && (
            <li key={href}>
              <Link href={href} aria-current={href === path ? "page" : href === here?.[0]}>
                {label}
              </Link>
            </li>
          ),
      )}
    </ul>
  );
  return (
    <div className="sections">
      <nav aria-label="Sections">
        {links}
        <Dropdown label={here?.[1] ?? "Go to"}>
          <div className="menu">{links}</div>
        </Dropdown>
      </nav>
      <Button look="quiet" onClick={() => paletteOpen.set(true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m11 11 4 4M1 7a6 6 0 0 0 12 0A6 6 0 0 0 1 7" />
        </svg>
        <span>
          Search <kbd>{paletteKeyName()}</kbd>
        </span>
      </Button>
      <Dropdown label={Array.from(name)[0]?.toUpperCase() ?? ""} name={`Signed in as ${email}`}>
        <PersonMenu />
      </Dropdown>
    </div>
  );
}
