import { Link } from '#web/lib/router.tsx'
import { paths } from '#web/app/paths.ts'
import { LooseBolt } from '#web/ui/drawings.tsx'
import { PageMain } from '#web/ui/page-main.tsx'

export function NotFoundPage() {
  return (
    <PageMain className="done missing">
      <div className="wrap">
        <h1 className="lost" tabIndex={-1}>
          <span className="vh">404</span>
          <span aria-hidden="true">4</span>
          <LooseBolt />
          <span aria-hidden="true">4</span>
        </h1>
        <p className="lead">Oops! Page not found</p>
        <p className="small">
          Something worked loose. Nothing is lost: everything you need is one tap away.
        </p>
        <div className="btns">
          <Link className="btn btn-1" to={paths.home}>
            Return to Home
          </Link>
        </div>
      </div>
    </PageMain>
  )
}
