/** The script that areas with lists and forms share, see `common.ts`. */
import "./domains/form/action-items.tsx";
import "./domains/listing.ts";
import "./register/format-value.ts";
import "./register/resource.tsx";
import "./session/action-dialog.tsx";
import "./ui/choice.tsx";
import "./ui/day-box.tsx";
import "./ui/delayed.ts";
import "./ui/dialog.tsx";
import "./ui/empty.tsx";
import "../shared/changes.ts";
import "../shared/filter.ts";
import "../shared/text.ts";
import "../shared/view.ts";
