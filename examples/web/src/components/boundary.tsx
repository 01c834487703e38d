import { Component, type ReactNode } from 'react';
import { messageOf } from '../errors.ts';
import { Page } from './page.tsx';

interface Props {
  readonly children: ReactNode;
}
interface State {
  readonly error: unknown;
}

/** A page that cannot be shown says so, and the links above it still work. */
export class Boundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidMount(): void {
    addEventListener('online', this.#recover);
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.#recover);
  }

  // The script of the page may be missing, which only a new page asks for again.
  readonly #recover = () => {
    if (this.state.error !== undefined) location.reload();
  };

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Page title="Something went wrong">
        <p role="alert">
          {messageOf(this.state.error)} <button onClick={() => location.reload()}>Try again</button>
        </p>
      </Page>
    );
  }
}
