import { Footer } from '#web/site/layout/footer.tsx'
import { NavBar } from '#web/site/layout/nav-bar.tsx'

/**
 * The server replaces this placeholder with the content of the page. No text can contain the placeholder by accident,
 * because the placeholder is an HTML element and all texts are escaped.
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
