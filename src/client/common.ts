/**
 * What nearly every area uses, with all that these files import. The application and each area import
 * this file, so that the bundler, which makes a script for each set of areas that share something,
 * makes one of all this. What home does without does not belong here.
 */
import "./register/act-on-domains.tsx";
import "./register/domain-actions.ts";
import "./register/domain-change.ts";
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
