import { Component, type ReactNode } from 'react'
import { useShop } from '#web/lib/shop.ts'

type Props = {
  children: ReactNode
  /**
   * Identifies the current page. When this value changes, the user has opened another page, so the boundary clears the
   * error and renders the page.
   */
  page: string
}
type State = { failed: boolean; page: string }

/** Catches an error of a page. The bar and the footer remain, and a message shows the next step. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, page: this.props.page }

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true }
  }

  // The boundary stores the current page in its state to notice a page change. A `key` on the boundary would instead
  // remount the page's Suspense and show its fallback at every page change.
  static getDerivedStateFromProps({ page }: Props, state: State): State | null {
    return page === state.page ? null : { failed: false, page }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <BrokenPage />
  }
}

function BrokenPage() {
  const { phone } = useShop()
  return (
    <main id="main" tabIndex={-1} className="page-width inner-page">
      <div className="page-head">
        <h1>This page did not load</h1>
        <p>
          Nothing you sent is lost. Load the page again, or call us and we'll help you by phone.
        </p>
      </div>
      <div className="button-row">
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          Load again
        </button>
        <a className="button button-secondary" href={phone.href}>
          {phone.display}
        </a>
      </div>
    </main>
  )
}
