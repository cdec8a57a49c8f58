import { Link } from '#web/site/router.tsx'
import { paths } from '#web/lib/paths.ts'
import { LooseBolt } from '#web/ui/art/drawings.tsx'
import { PageMain } from '#web/ui/page-main/page-main.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'
import '#web/ui/text/success.css'
import './not-found.css'

export function NotFoundPage() {
  return (
    <PageMain className="success not-found">
      <div className="page-width">
        <h1 className="not-found-code" tabIndex={-1}>
          <span className="visually-hidden">404</span>
          <span aria-hidden="true">4</span>
          <LooseBolt />
          <span aria-hidden="true">4</span>
        </h1>
        <p className="not-found-lead">Oops! Page not found</p>
        <p className="not-found-hint">
          There is no page at this address. The home page leads to everything you need.
        </p>
        <div className="button-row">
          <Link className={buttonClass('primary')} to={paths.home}>
            Return to Home
          </Link>
        </div>
      </div>
    </PageMain>
  )
}
