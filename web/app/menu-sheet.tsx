import { useRef, type MouseEvent, type Ref } from 'react'
import { Link, NavLink } from '#web/lib/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { menuId } from './menu-button.tsx'
import { navLinks } from './nav-links.ts'
import { OpenToday } from './open-today.tsx'
import { paths } from './paths.ts'

/**
 * The slide-in menu. A `<dialog popover>`: works as a popover before and without JavaScript, and as a
 * modal (focus kept inside, Esc, focus returned) once the bar's button calls `showModal`.
 */
export function MenuSheet({ ref }: { ref: Ref<HTMLDialogElement> }) {
  const closer = useRef<HTMLButtonElement>(null)
  const close = () => {
    const dialog = closer.current?.closest('dialog')
    if (dialog?.matches(':popover-open')) dialog.hidePopover()
    dialog?.close()
  }
  const closeOnBackdrop = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) close()
  }
  // oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click on the backdrop lands on the dialog; Escape is the keyboard's way
  return (
    <dialog
      ref={ref}
      id={menuId}
      className="menu-sheet"
      popover="auto"
      aria-label="Menu"
      onClick={closeOnBackdrop}
    >
      <nav aria-label="Menu">
        <MenuTop closer={closer} onClose={close} />
        <ul>
          {navLinks.map(({ to, label }) => (
            <li key={to}>
              <NavLink className="menu-sheet-link" to={to} onClick={close}>
                {label}
                <Icon name="arrow-right" />
              </NavLink>
            </li>
          ))}
        </ul>
        <MenuContact />
      </nav>
    </dialog>
  )
}

function MenuTop(props: { closer: Ref<HTMLButtonElement>; onClose: () => void }) {
  const { closer, onClose } = props
  const { name } = useShop()
  return (
    <div className="menu-sheet-top">
      <Link className="brand" to={paths.home} aria-label={`${name}, home`} onClick={onClose}>
        <BrandMark />
      </Link>
      <button
        ref={closer}
        className="icon-button"
        type="button"
        aria-label="Close menu"
        popoverTarget={menuId}
        popoverTargetAction="hide"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

function MenuContact() {
  const { phone, address } = useShop()
  return (
    <div className="menu-sheet-contact">
      <a className="button button-secondary button-wide" href={phone.href}>
        <Icon name="phone" />
        {phone.display}
      </a>
      <p className="hint">
        {address.street}, {address.city}
        <br />
        <OpenToday />
      </p>
    </div>
  )
}
