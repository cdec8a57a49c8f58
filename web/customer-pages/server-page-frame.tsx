import { Footer } from '#web/site/layout/footer.tsx'
import { NavBar } from '#web/site/layout/nav-bar.tsx'

/**
 * The placeholder that the server replaces with the page's content. The placeholder is an HTML element, so that no
 * escaped text can contain the placeholder.
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
