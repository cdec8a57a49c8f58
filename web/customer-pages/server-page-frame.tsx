import { Footer } from '#web/site/layout/footer.tsx'
import { NavBar } from '#web/site/layout/nav-bar.tsx'

/**
 * The server replaces this placeholder with the content of the page. The placeholder is an HTML element: all texts are
 * escaped, so no text can contain it by accident.
 */
export const contentPlaceholder = '<i data-content="true"></i>'

/**
 * The frame of the customer pages: navigation bar and footer. `renderCustomerPage` renders the content between them.
 */
export function ServerPageFrame() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <NavBar />
      <i data-content />
      <Footer />
    </>
  )
}
