import type { Domain } from "../../../shared/domain.ts";
import { ActionButton } from "../../register/act-on-domains.tsx";
import type { DomainAction } from "../../register/domain-actions.ts";

interface Props {
  domain: Domain;
  actions: readonly DomainAction[] | undefined;
}

/** Lines of a menu, of which what is chosen is pressed. */
export function ActionItems({ domain, actions }: Props) {
  return actions?.map((action) => (
    <ActionButton
      key={action.id}
      action={action}
      domain={domain}
      look="quiet"
      aria-pressed={action.isChosen?.(domain)}
    />
  ));
}
