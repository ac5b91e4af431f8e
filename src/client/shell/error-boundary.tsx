import { Component, type ReactNode } from "react";
import { checkVersion, MissingCodeError, renewCode } from "../ui/lazy-code.ts";
import { Button } from "../ui/button.tsx";

interface Props {
  /** A new value gives the content another chance: the path, so that navigation gets out. */
  resetKey: string;
  children: ReactNode;
}

interface State {
  error?: unknown;
}

/** Catches what fails in the content area and offers to try again; React logs the error. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidUpdate(previous: Props, { error }: State) {
    // An error that came with the new value is the one to show.
    if (error !== undefined && previous.resetKey !== this.props.resetKey) this.reset();
  }

  reset() {
    renewCode();
    this.setState({ error: undefined });
  }

  retry = async () => {
    // A browser never requests a script again that it could not parse, but for a new page.
    const missing = this.state.error instanceof MissingCodeError;
    if (missing && (await checkVersion()) !== "unreachable") location.reload();
    else this.reset();
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="failure" role="alert">
        <h1 tabIndex={-1}>This screen could not be loaded</h1>
        <p>
          {error instanceof MissingCodeError
            ? "Check your connection, then try again."
            : "Something went wrong in this screen. Your data is not affected."}
        </p>
        <Button onClick={this.retry}>Try again</Button>
      </div>
    );
  }
}
