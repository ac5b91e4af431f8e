import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { Domain } from "../../../shared/domain.ts";
import type { SavedView } from "../../../shared/register.ts";
import type { View } from "../../../shared/view.ts";
import type { BulkDialogProps, OnBulkDone } from "../../register/dialogs/bulk-change.tsx";
import type { BulkTarget } from "../../register/domains-api.ts";
import type { Draft } from "../form/domain-values.ts";
import type { useColumns } from "./columns.ts";
import type { useSelection } from "./selection.ts";
import type { useDomainList } from "./use-domain-list.ts";

/** Id of the bulk actions; the key `e` focuses the first. */
export const BULK_ACTIONS_ID = "bulk-actions";

/** Asks for what a bulk change needs, and makes it. */
export type BulkDialog = (props: BulkDialogProps) => ReactNode;

/** A value of a filter that all its domains can be given another name for. */
export type Renamed = { field: "account" | "owner" | "tag"; from: string };

/** The open dialog. A draft was typed before a reload. */
export type OpenDialog =
  | { kind: "edit"; domain: Domain | null; draft?: Draft }
  | { kind: "delete"; domain: Domain }
  | { kind: "delete-view"; saved: SavedView }
  | { kind: "rename"; renamed: Renamed; target: BulkTarget }
  | { kind: "bulk"; dialog: BulkDialog; target: BulkTarget };

/** The domain beside the list; where it has no room there, its page is opened. */
export interface Panel {
  opened: string | null;
  open: (name: string) => void;
  closePanel: () => void;
}

/** The list around its toolbar, its rows, its panel, its bulk bar and its dialogs. */
interface List
  extends
    ReturnType<typeof useDomainList>,
    ReturnType<typeof useColumns>,
    ReturnType<typeof useSelection>,
    Panel {
  view: View;
  show: (view: View, replace?: boolean) => void;
  add: () => void;
  ask: (dialog: OpenDialog) => void;
  /** Runs bulk changes without a dialog one at a time, also once the bar or dialog that asked has gone. */
  bulk: { run: (act: () => Promise<void>) => unknown; isBusy: boolean };
  /** Says what a bulk change did, and deselects its domains. */
  onBulkDone: OnBulkDone;
}

export const ListContext = createContext<List | null>(null);

export function useList(): List {
  const list = use(ListContext);
  if (!list) throw new Error("Outside of the list.");
  return list;
}

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}
