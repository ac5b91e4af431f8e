import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useState,
} from "react";
import type { Domain } from "../../shared/domain.ts";
import { dueDay } from "../../shared/work.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { useStable } from "../ui/store.ts";
import { Button } from "../ui/button.tsx";
import {
  type ActionScreen,
  type DomainAction,
  type DomainQuestion,
  openedDomain,
} from "./domain-actions.ts";

const DoneDialog = lazyCode(() => import("./dialogs/done-dialog.tsx"), null);
const HandledDialog = lazyCode(() => import("./dialogs/handled-dialog.tsx"), null);

const ActionContext = createContext<ActionScreen>({ change: () => {}, ask: () => {} });

export function useActionScreen(): ActionScreen {
  return use(ActionContext);
}

interface Props extends Pick<ActionScreen, "change"> {
  /** Opens the area's own dialog. */
  onAsk?: (question: Exclude<DomainQuestion, "done" | "handled">, domain: Domain) => void;
  /** The only domain below, if there is one. */
  opened?: Domain;
  children: ReactNode;
}

/** Lets everything below act on domains, and shows the dialogs of actions. */
export function ActOnDomains({ children, opened, ...props }: Props) {
  const [asked, setAsked] = useState<{ question: "done" | "handled"; domain: Domain }>();
  const change = useStable(props.change);
  const ask = useStable((question: DomainQuestion, domain: Domain) => {
    if (question === "done" || question === "handled") setAsked({ question, domain });
    else props.onAsk?.(question, domain);
  });
  const screen = useMemo(() => ({ change, ask }), [change, ask]);
  useEffect(() => {
    if (!opened) return undefined;
    openedDomain.set({ domain: opened, screen });
    return () => openedDomain.set(null);
  }, [opened, screen]);
  const close = () => setAsked(undefined);
  return (
    <ActionContext value={screen}>
      {children}
      {asked?.question === "handled" && <HandledDialog of={asked.domain} onClose={close} />}
      {asked?.question === "done" && (
        <DoneDialog
          domain={asked.domain}
          onDone={(expires) => {
            const { domain } = asked;
            close();
            change(domain, expires ? { expires } : { doneFor: dueDay(domain) });
          }}
          onClose={close}
        />
      )}
    </ActionContext>
  );
}

interface ButtonProps extends ComponentProps<typeof Button> {
  action: DomainAction;
  domain: Domain;
}

export function ActionButton({ action, domain, children, ...button }: ButtonProps) {
  const screen = use(ActionContext);
  return (
    <Button onClick={() => action.run(domain, screen)} {...button}>
      {children || action.label}
    </Button>
  );
}
