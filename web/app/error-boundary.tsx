import { Component, type ReactNode } from 'react'
import { shop } from '#domain/shop.ts'

/** Keeps the bar and the footer when a page breaks, and says what to do next. Resets when its key changes. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main id="main" tabIndex={-1} className="wrap page">
        <div className="page-head">
          <h1>This page did not load</h1>
          <p>Nothing you sent is lost. Load it again, or call us and we do it by phone.</p>
        </div>
        <div className="btns">
          <button type="button" className="btn btn-1" onClick={() => location.reload()}>
            Load again
          </button>
          <a className="btn btn-2" href={shop.phone.href}>
            {shop.phone.display}
          </a>
        </div>
      </main>
    )
  }
}
