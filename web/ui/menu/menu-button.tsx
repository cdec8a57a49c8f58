import type { RefObject } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'

/** The id of the slide-in menu, a `<dialog popover>`. */
export const menuId = 'site-menu'

/** Opens the menu: as a popover until the browser has loaded the JavaScript, then as a modal dialog. */
export function MenuButton({ menu }: { menu: RefObject<HTMLDialogElement | null> }) {
  return (
    <button
      className="icon-button"
      type="button"
      aria-haspopup="dialog"
      popoverTarget={menuId}
      onClick={(event) => {
        event.preventDefault()
        menu.current?.showModal()
      }}
    >
      <Icon name="menu" />
      Menu
    </button>
  )
}
