import { useRef } from 'react'
import { BrandName } from '#web/ui/brand.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { MenuButton, menuId } from './menu-button.tsx'
import { navLinks } from './nav-links.ts'
import { paths } from './paths.ts'
import './admin-strip.css'

/** The site's navigation over the dashboard: a narrow strip, below 768 px a slide-in menu. */
export function AdminStrip() {
  const menu = useRef<HTMLDialogElement>(null)
  return (
    <header className="site-strip">
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
      <dialog ref={menu} id={menuId} className="menu-sheet" popover="auto" aria-label="Menu">
        <nav aria-label="Menu">
          <div className="menu-sheet-top">
            <span className="brand" />
            <button
              className="icon-button"
              type="button"
              aria-label="Close menu"
              onClick={() => menu.current?.close()}
            >
              <Icon name="close" />
            </button>
          </div>
          <ul>
            {navLinks.map(({ to, label }) => (
              <li key={to}>
                <a className="menu-sheet-link" href={to}>
                  {label}
                  <Icon name="arrow-right" />
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </dialog>
    </header>
  )
}
