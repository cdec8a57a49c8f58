import { Footer } from '#web/site/layout/footer.tsx'
import { NavBar } from '#web/site/layout/nav-bar.tsx'

/** The server replaces this placeholder with the page's content. Markup, so that no escaped text can contain it. */
export const contentPlaceholder = '<i data-content="true"></i>'

/** The frame of the customer pages: navigation bar and footer. `renderCustomerPage` renders what is between them. */
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
