import type { Ref } from 'react'
import { Link, NavLink } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { BrandMark } from '#web/ui/brand/brand.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { MenuFrame } from '#web/ui/menu/menu-frame.tsx'
import { navLinks } from '#web/ui/menu/nav-links.ts'
import { TodaysHours } from './todays-hours.tsx'
import { paths } from '#web/lib/paths.ts'

/** The slide-in menu with the site's pages and the shop's contact details. */
export function SideMenu({ ref }: { ref: Ref<HTMLDialogElement> }) {
  const { name } = useShop()
  const brand = (
    <Link className="brand" to={paths.home} aria-label={`${name}, home`}>
      <BrandMark />
    </Link>
  )
  return (
    <MenuFrame ref={ref} brand={brand}>
      <ul>
        {navLinks.map(({ to, label }) => (
          <li key={to}>
            <NavLink className="side-menu-link" to={to}>
              {label}
              <Icon name="arrow-right" />
            </NavLink>
          </li>
        ))}
      </ul>
      <MenuContact />
    </MenuFrame>
  )
}

function MenuContact() {
  const { phone, address } = useShop()
  return (
    <div className="side-menu-contact">
      <a className="button button-secondary button-wide" href={phone.href}>
        <Icon name="phone" />
        {phone.display}
      </a>
      <p className="hint">
        {address.street}, {address.city}
        <br />
        <TodaysHours />
      </p>
    </div>
  )
}
