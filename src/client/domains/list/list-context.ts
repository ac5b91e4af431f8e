import { createContext, use } from "react";
import type { Domain } from "../../../shared/domain.ts";
import type { View } from "../../../shared/view.ts";
import type { Draft } from "../domain-values.ts";
import type { BulkChange, BulkQuestion } from "./bulk-actions.ts";
import type { BulkDraft } from "./bulk-edit.ts";
import type { Column } from "./columns.tsx";
import type { BulkTarget } from "../../register/domains-api.ts";
import type { Selection } from "./selection.ts";
import type { useDomainList } from "./use-domain-list.ts";

/** The open dialog. A draft was typed before a reload. */
export type OpenDialog =
  | { kind: "edit"; domain: Domain | null; draft?: Draft }
  | { kind: "delete"; domain: Domain }
  | { kind: "bulk"; question: BulkQuestion; target: BulkTarget; draft?: BulkDraft };

/** The list around its toolbar, its rows and its bulk bar. */
interface List extends ReturnType<typeof useDomainList> {
  view: View;
  show: (view: View, replace?: boolean) => void;
  /** The chosen columns; there may be no room for all. */
  columns: readonly Column[];
  setColumns: (columns: readonly Column[]) => void;
  selection: Selection;
  select: (update: (now: Selection) => Selection) => void;
  /** The domain of the open panel. */
  opened: string | null;
  /** Shows a domain beside the list, or its page where there is no room. */
  open: (name: string) => void;
  add: () => void;
  ask: (dialog: OpenDialog) => void;
  bulk: BulkChange;
}

export const ListContext = createContext<List | null>(null);

/** @throws {Error} Outside of the list. */
export function useList(): List {
  const list = use(ListContext);
  if (!list) throw new Error("Outside of the list.");
  return list;
}
