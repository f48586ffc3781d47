import { Component, type ReactNode } from 'react';

import { ErrorState } from './states.tsx';

type Props = { name: string; className?: string; children: ReactNode };

/** One broken card never breaks the whole page. */
export class ErrorBoundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown) {
    dispatchEvent(new CustomEvent('broken', { detail: error }));
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <section aria-label={this.props.name} className={`card flex flex-col ${this.props.className ?? ''}`}>
        <ErrorState
          message={`${this.props.name} could not be shown`}
          onRetry={() => this.setState({ broken: false })}
        />
      </section>
    );
  }
}
