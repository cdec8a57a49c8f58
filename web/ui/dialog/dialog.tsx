import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useMediaQuery } from '#web/lib/browser/use-media-query.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'

type OverlayProps = {
  open: boolean
  /**
   * Asked by Esc and the close button. Ignore it (and set `busy`) while something is being sent. Without it
   * the dialog has no close button: it closes when what it asks for is done.
   */
  onClose?: (() => void) | undefined
  title: ReactNode
  /** Stands at the top in the place of the title, which is then only read out, and of the close button. */
  head?: ReactNode
  children: ReactNode
  /** The buttons; always in sight. */
  footer?: ReactNode
  /** Esc and the close button do nothing while set. */
  busy?: boolean
}

/**
 * A modal dialog on the native element: the page behind is inert, Esc closes, the focus returns to
 * where it was. Full screen on a phone. A click beside it does not close it: what was typed stays.
 */
export function Dialog({ size, ...props }: OverlayProps & { size?: 'small' | 'search' }) {
  return props.open ? (
    <OpenDialog {...props} className={size ? `dialog dialog-${size}` : 'dialog'} modal />
  ) : null
}

/** From this width up a side panel leaves the page beside it usable. */
const besideThePage = '(min-width: 64rem)'

/**
 * A panel at the right. On a wide screen the page beside it stays usable (not modal); below 64 rem it
 * is a modal sheet at the bottom. Esc closes, the focus returns.
 */
export function SidePanel(props: OverlayProps) {
  const isWide = useMediaQuery(besideThePage)
  return props.open ? <OpenDialog {...props} className="side-panel" modal={!isWide} /> : null
}

/** Asks before something is destroyed. `confirmLabel` names the deed ('Delete'); Cancel has the focus first. */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel = 'Cancel',
  busyLabel,
  onConfirm,
  ...props
}: Omit<OverlayProps, 'footer' | 'onClose'> & {
  onClose: () => void
  confirmLabel: string
  cancelLabel?: string
  busyLabel?: string
  onConfirm: () => void
}) {
  return (
    <Dialog
      {...props}
      size="small"
      footer={
        <>
          <button
            type="button"
            className="button button-quiet"
            disabled={props.busy}
            onClick={props.onClose}
            data-first-focus
          >
            {cancelLabel}
          </button>
          <button
            type="button"
            className="button button-danger"
            disabled={props.busy}
            onClick={onConfirm}
          >
            {props.busy ? (busyLabel ?? confirmLabel) : confirmLabel}
          </button>
        </>
      }
    />
  )
}

function OpenDialog({
  onClose,
  title,
  head,
  children,
  footer,
  busy,
  className,
  modal,
}: OverlayProps & { className: string; modal: boolean }) {
  const element = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element>(null)
  /** Its own closings, to change the mode, that the browser has still to tell of. */
  const pendingCloses = useRef(0)
  const titleId = useId()
  const close = () => !busy && onClose?.()

  // Also after the browser has closed it and its owner has not agreed: there may be something to ask first.
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    if (!dialog.open) {
      opener.current ??= document.activeElement
      openIn(dialog, modal)
    } else if (dialog.matches(':modal') !== modal && !isCovered(dialog)) {
      pendingCloses.current += 1
      reopenIn(dialog, modal)
    }
  })

  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    focusFirst(dialog)
    // Closing before the element leaves the page is what gives the focus back.
    return () => {
      dialog.close()
      const back = opener.current
      // A panel gives it back only from within, and a disabled button has lost it already.
      if (document.activeElement === document.body && back instanceof HTMLElement) back.focus()
    }
  }, [])

  return (
    <dialog
      ref={element}
      className={className}
      aria-labelledby={titleId}
      // Of this dialog alone: React hands on to the one around it what browsers tell only the one that is meant.
      onCancel={(event) => {
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
      // Browsers may close a dialog without asking (a second Back on a phone): follow it, also where a rendering
      // between that and this had opened it again.
      onClose={(event) => {
        event.stopPropagation()
        if (pendingCloses.current > 0) pendingCloses.current -= 1
        else onClose?.()
      }}
      // Taken before the browser does: it would close at a second Esc, whatever the dialog has to ask.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      {head ? (
        <>
          <h2 className="visually-hidden" id={titleId}>
            {title}
          </h2>
          {head}
        </>
      ) : (
        <div className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {onClose && (
            <button
              type="button"
              className="icon-button"
              aria-label="Close"
              disabled={busy}
              onClick={close}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      )}
      <div className="dialog-body">{children}</div>
      {footer && <footer>{footer}</footer>}
      {modal && <ToastRegion />}
    </dialog>
  )
}

function openIn(dialog: HTMLDialogElement, modal: boolean) {
  if (modal) dialog.showModal()
  else dialog.show()
}

/** By a question about what is in it, which opening it anew would put behind it. */
const isCovered = (dialog: HTMLDialogElement) =>
  [...document.querySelectorAll('dialog:modal')].some((other) => other !== dialog)

/** The window crosses the width at which a panel is modal: what is typed stays, and so does the focus. */
function reopenIn(dialog: HTMLDialogElement, modal: boolean) {
  const focused = document.activeElement
  dialog.close()
  openIn(dialog, modal)
  if (focused instanceof HTMLElement && dialog.contains(focused)) focused.focus()
}

/** The browser would start at the close button. On a touch screen a field would raise the keyboard unasked. */
function focusFirst(dialog: HTMLDialogElement) {
  const chosen = dialog.querySelector<HTMLElement>('[data-first-focus]')
  const field = matchMedia('(pointer: fine)').matches
    ? dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')
    : null
  const first = chosen ?? field
  first?.focus()
}
