import { ACCEPT_PATH, PASSWORD_LENGTH } from "../../shared/session.ts";
import { Button } from "../ui/button.tsx";
import { readBrand } from "../ui/page.ts";
import { failedResponse } from "./failure.tsx";
import { forgetLinkCode, useLinkCode } from "./link-code.ts";
import { EMAIL_FIELD, type InputField, PASSWORD_FIELD, SessionFrame } from "./session-frame.tsx";
import { type SessionState, signIn } from "./session-store.ts";

/** What follows the product’s name in the form of a new account. */
const ABOUT = {
  "set-up":
    " keeps track of your domains: where each is registered, when it expires, and what it costs. Create the owner account to get started.",
  invitation:
    " is where your team keeps its domains. You are invited: create your account to join.",
} as const;

/** Creates an account, or sets a new password, with the code of a link. */
export default function JoinForm({ session }: { session: SessionState }) {
  const link = useLinkCode();
  const kind =
    session.state === "set-up" ? "set-up" : link?.kind === "reset" ? "reset" : "invitation";
  const isReset = kind === "reset";
  const brand = readBrand();
  const about = isReset ? "You will be signed out on all other devices." : brand + ABOUT[kind];
  const signedInNow =
    session.state === "signed-in"
      ? ` ${session.email} is signed in here and will be signed out.`
      : "";

  /** Asks for the code of the first account if no link brought it, or a wrong one. */
  const fieldsFor = (error: unknown): InputField[] => [
    ...(kind === "set-up" && (!link || failedResponse(error).status === 403)
      ? [{ ...SET_UP_CODE, defaultValue: link?.code }]
      : []),
    ...(kind === "invitation" ? [NAME] : []),
    { ...EMAIL_FIELD, defaultValue: link?.email },
    { ...NEW_PASSWORD, label: isReset ? "New password" : "Password" },
  ];

  return (
    <SessionFrame
      heading={isReset ? "Choose a new password" : `Welcome to ${brand}`}
      about={about + signedInNow}
      fields={fieldsFor}
      action={isReset ? "Save and sign in" : "Create account"}
      onSend={({ setUpCode, ...values }) => {
        const code = link?.code ?? "";
        return kind === "set-up"
          ? signIn({ ...values, setUpCode: (setUpCode ?? code).trim() })
          : signIn({ ...values, code }, ACCEPT_PATH);
      }}
    >
      {() =>
        kind !== "set-up" && (
          <Button look="quiet" onClick={forgetLinkCode}>
            {session.state === "signed-in" ? "Not now" : "Sign in instead"}
          </Button>
        )
      }
    </SessionFrame>
  );
}

const SET_UP_CODE: InputField = {
  name: "setUpCode",
  label: "Set-up code",
  hint: "Shown in the terminal where the server was started",
  required: true,
  autoComplete: "off",
};

const NAME: InputField = {
  name: "name",
  label: "Your name",
  hint: "What others see beside your changes",
  autoComplete: "name",
};

const NEW_PASSWORD: InputField = {
  ...PASSWORD_FIELD,
  hint: `At least ${PASSWORD_LENGTH.min} characters`,
  minLength: PASSWORD_LENGTH.min,
  autoComplete: "new-password",
};
