import { useRef } from 'react'
import { useShop } from '#web/lib/shop.ts'
import { BrandMark, BrandName } from '#web/ui/brand/brand.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { MenuButton } from '#web/ui/menu/menu-button.tsx'
import { MenuFrame } from '#web/ui/menu/menu-frame.tsx'
import { navLinks } from '#web/ui/menu/nav-links.ts'
import { paths } from '#web/lib/paths.ts'
import '#web/ui/menu/side-menu.css'
import './admin-nav.css'

/** The site's navigation above the dashboard: a narrow bar, and a slide-in menu below 768 px. */
export function AdminNav() {
  const { name } = useShop()
  const menu = useRef<HTMLDialogElement>(null)
  const brand = (
    <a className="brand" href={paths.home} aria-label={`${name}, home`}>
      <BrandMark />
    </a>
  )
  return (
    <>
      <header className="admin-nav">
        <a className="brand" href={paths.home}>
          <BrandName />
        </a>
        <nav aria-label="Main">
          <ul>
            {navLinks.map(({ to, label }) => (
              <li key={to}>
                <a href={to}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        <MenuButton menu={menu} />
      </header>
      <MenuFrame ref={menu} brand={brand}>
        <ul>
          {navLinks.map(({ to, label }) => (
            <li key={to}>
              <a className="side-menu-link" href={to}>
                {label}
                <Icon name="arrow-right" />
              </a>
            </li>
          ))}
        </ul>
      </MenuFrame>
    </>
  )
}
