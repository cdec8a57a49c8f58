import { MarkedBolt } from '#web/ui/drawings.tsx'
import { PageMain } from '#web/ui/page-main.tsx'
import { Footer } from './footer.tsx'
import { NavBar } from './nav-bar.tsx'

/** Where the server puts what it writes: markup, which no text on the page can be. */
export const contentMark = '<i data-content="true"></i>'

/**
 * What is around an appointment's own page. The server writes the page itself (server/features/visit), so
 * that it works in every browser a mail program opens, without a script.
 */
export function VisitFrame() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <NavBar />
      <PageMain className="success visit-page">
        <div className="page-width success-columns">
          <MarkedBolt />
          <div>
            <i data-content />
          </div>
        </div>
      </PageMain>
      <Footer />
    </>
  )
}
