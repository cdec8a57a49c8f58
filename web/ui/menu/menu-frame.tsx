import { useRef, type MouseEvent, type ReactNode, type Ref } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { menuId } from './menu-button.tsx'

/**
 * The slide-in menu without its links. A `<dialog popover>` works as a popover until JavaScript is loaded. Then the
 * bar's button calls `showModal` and it is a modal dialog (focus kept inside, Esc closes it, focus returned). A link in
 * it, or a click beside it, closes it.
 */
export function MenuFrame(props: {
  ref: Ref<HTMLDialogElement>
  /** The link to the home page, at the top left. */
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
  // oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click on the backdrop lands on the dialog; Escape is the keyboard's way
  return (
    <dialog
      ref={ref}
      id={menuId}
      className="side-menu"
      popover="auto"
      aria-label="Menu"
      // Closes before the link is followed, so that the focus returns to the button first.
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
