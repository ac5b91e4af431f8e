import { DEFAULT_BRAND } from "../../shared/brand.ts";

/** What a page is made of. */
export interface PageParts {
  title: string;
  /** The prerendered application; React's own escaping has been done. */
  markup: string;
  /** Goes into the one style element. */
  css: string;
  /** URL of the script that starts the application. */
  script: string;
  /** URLs of the scripts that it goes on to import. */
  imports: readonly string[];
  /** URLs of what it fetches first, with cookies: asked for while the scripts are on the way. */
  fetches: readonly string[];
  /** URLs of what comes after these, once somebody is signed in; null where nobody asks that. */
  needs: readonly string[] | null;
  /** URL that is there as long as this page is the newest. */
  version: string;
}

/** Puts the product's name wherever `src/index.html` says the default one. */
export function brandPage(html: string, brand: string): string {
  return html.replaceAll(DEFAULT_BRAND, () => Bun.escapeHTML(brand));
}

/**
 * Makes the finished page of `src/index.html`: what that names by relative path is named as it is
 * served, and the page asks at once for every script and for what these fetch first.
 */
export function composePage(
  html: string,
  { title, markup, css, script, imports, fetches, needs, version }: PageParts,
): string {
  const preloads = imports.map((url) => `<link rel="modulepreload" href="${url}">`).join("");
  const requests = fetches.map(
    (url) => `<link rel="preload" href="${url}" as="fetch" crossorigin="use-credentials">`,
  );
  return new HTMLRewriter()
    .on("title", { element: (element) => void element.setInnerContent(title) })
    .on('link[href^="../../public/"]', {
      element(element) {
        const href = element.getAttribute("href") ?? "";
        element.setAttribute("href", href.replace("../../public/", "/"));
      },
    })
    .on('script[src="./main.tsx"]', {
      element(element) {
        element.setAttribute("src", script);
        element.setAttribute("data-version", version);
        if (needs) element.setAttribute("data-needs", needs.join(" "));
        element.after(requests.join("") + preloads, { html: true });
      },
    })
    .on("head", {
      element: (element) => void element.append(`<style>${css}</style>`, { html: true }),
    })
    .on("#root", { element: (element) => void element.setInnerContent(markup, { html: true }) })
    .transform(html);
}
