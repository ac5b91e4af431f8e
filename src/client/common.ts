/**
 * What nearly every area uses, as one script: the bundler makes one for each set of areas that
 * share something, so the application and all areas import this file. Nothing here that home does
 * without.
 */
import "./register/act-on-domains.tsx";
import "./register/changed-by.tsx";
import "./register/domain-actions.ts";
import "./register/domain-change.ts";
import "./register/domains-api.ts";
import "./register/expiry-words.ts";
import "./register/undo.ts";
import "./register/shortcut-keys.ts";
import "./screens.ts";
import "./session/failure.tsx";
import "./session/gate.tsx";
import "./ui/ascii-name.tsx";
import "./ui/dropdown.tsx";
import "./ui/field.tsx";
import "./ui/lazy-code.ts";
import "./ui/format.ts";
import "./ui/notice.tsx";
import "./ui/page.ts";
import "../shared/register.ts";
import "../shared/source.ts";
import "../shared/work.ts";
