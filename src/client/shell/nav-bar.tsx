import { use } from "react";
import { Link } from "wouter";
import { BrandContext } from "./brand-context.ts";
import { Logo } from "./logo.tsx";
import "./nav-bar.css";

/** The bar at the top: the logo leads to `/`, and there is no other link. */
export function NavBar() {
  const brand = use(BrandContext);
  return (
    <nav className="nav-bar" aria-label="Main">
      <Link href="/" className="nav-bar__item" aria-label={brand}>
        <Logo />
      </Link>
    </nav>
  );
}
