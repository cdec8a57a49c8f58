import { useRef, type MouseEvent, type ReactNode, type Ref } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { menuId } from './menu-button.tsx'

/**
 * The slide-in menu without its links. Until the browser has loaded the JavaScript, the `<dialog popover>` works as a
 * popover. After that, the button in the navigation bar calls `showModal`, so that the menu is a modal dialog (the
 * focus stays inside, Esc closes the menu and returns the focus). A link in the menu, or a click beside the menu,
 * closes the menu.
 */
export function MenuFrame(props: {
  ref: Ref<HTMLDialogElement>
  /** The link to the home page, at the top left of the menu. */
  brand: ReactNode
  children: ReactNode
}) {
  const { ref, brand, children } = props
  const closer = useRef<HTMLButtonElement>(null)
  const close = () => {
    const dialog = closer.current?.closest('dialog')
    if (dialog?.matches(':popover-open')) dialog.hidePopover()
    dialog?.close()
  }
  const closeOnNavigate = ({ target, currentTarget }: MouseEvent<HTMLDialogElement>) => {
    const isBeside = target === currentTarget
    if (isBeside || (target instanceof Element && target.closest('a'))) close()
  }
  // oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click on
  // the backdrop lands on the dialog; keyboard users press Escape
  return (
    <dialog
      ref={ref}
      id={menuId}
      className="side-menu"
      popover="auto"
      aria-label="Menu"
      // Closes the menu before the browser follows the link, so that the focus first returns to the menu button.
      onClickCapture={closeOnNavigate}
    >
      <nav aria-label="Menu">
        <div className="side-menu-top">
          {brand}
          <button
            ref={closer}
            className="icon-button"
            type="button"
            aria-label="Close menu"
            popoverTarget={menuId}
            popoverTargetAction="hide"
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </div>
        {children}
      </nav>
    </dialog>
  )
}
