import { Link } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { addressLine } from '#domain/shop/shop.ts'
import { paths } from '#web/lib/paths.ts'

/** The year of the build (vite.config.ts), so that the prerendered HTML and the browser show the same year. */
declare const __BUILD_YEAR__: number

/**
 * The footer: the copyright notice, the shop's postal address, the link to the privacy page, and the small dot that
 * links to the staff sign-in.
 */
export function Footer() {
  const shop = useShop()
  return (
    <footer className="dark-band site-footer">
      <div className="page-width">
        <span>
          © {__BUILD_YEAR__} {shop.name}. All rights reserved.
        </span>
        <span>{addressLine(shop)}</span>
        <a href="/visit">Find my appointment</a>
        <Link to={paths.privacy}>Privacy</Link>
        <a
          className="staff-dot"
          href={paths.adminDashboard}
          rel="nofollow"
          aria-label="Staff sign-in"
        />
      </div>
    </footer>
  )
}
