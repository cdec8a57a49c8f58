import { useRef } from 'react'
import { Link, NavLink } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { BrandName } from '#web/ui/brand/brand.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { MenuButton } from '#web/ui/menu/menu-button.tsx'
import { SideMenu } from './side-menu.tsx'
import { navLinks } from '#web/ui/menu/nav-links.ts'
import { paths } from '#web/lib/paths.ts'

/**
 * The navigation bar with the shop's name, the links to the pages, and the phone number. Below 768 px the slide-in menu
 * contains the links.
 */
export function NavBar() {
  const shop = useShop()
  const menu = useRef<HTMLDialogElement>(null)
  return (
    <>
      <header className="site-header">
        <nav className="page-width" aria-label="Main">
          <Link className="brand" to={paths.home}>
            <BrandName />
          </Link>
          <ul>
            {navLinks.map(({ to, label }) => (
              <li key={to}>
                <NavLink to={to}>{label}</NavLink>
              </li>
            ))}
          </ul>
          <a className="site-header-phone" href={shop.phone.href}>
            {shop.phone.display}
          </a>
          <a
            className="icon-button call-button"
            href={shop.phone.href}
            aria-label={`Call ${shop.phone.display}`}
          >
            <Icon name="phone" />
          </a>
          <MenuButton menu={menu} />
        </nav>
      </header>
      <SideMenu ref={menu} />
    </>
  )
}
