import { useRef, type MouseEvent, type ReactNode, type Ref } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { menuId } from './menu-button.tsx'

/**
 * The slide-in menu without its links. A `<dialog popover>`: works as a popover before and without JavaScript, and as a
 * modal (focus kept inside, Esc, focus returned) once the bar's button calls `showModal`. Following a link closes it,
 * and so does a press beside it.
 */
export function MenuFrame(props: {
  ref: Ref<HTMLDialogElement>
  /** The way home, at the top left. */
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
      // Before the link is followed: the focus goes back to the button, and on from there.
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
