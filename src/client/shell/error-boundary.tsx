import { Component, type ReactNode } from "react";
import { renewCode } from "../lazy-code.ts";
import { putAway } from "../hold-page.ts";
import { CodeMissing, refreshCode } from "../load-code.ts";

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
    // One that has come with the new value is what is to be shown.
    if (error !== undefined && previous.resetKey !== this.props.resetKey) this.reset();
  }

  reset() {
    renewCode();
    this.setState({ error: undefined });
  }

  retry = async () => {
    // What a browser could not read as code it never reads again, but for a new page; that loses
    // nothing of which the person was not told.
    const { error } = this.state;
    const missing = error instanceof CodeMissing && (await refreshCode());
    if (missing && (await putAway()) === error.message) location.reload();
    else this.reset();
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="failure" role="alert">
        <h1 tabIndex={-1}>This screen could not be shown</h1>
        <p>
          {(error instanceof CodeMissing && error.message) ||
            "The connection may be down, or something went wrong in here. Nothing was lost."}
        </p>
        <button className="button" type="button" onClick={this.retry}>
          Try again
        </button>
      </div>
    );
  }
}
