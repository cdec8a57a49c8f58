import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useMediaQuery } from '#web/lib/browser/use-media-query.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'
import { Button } from '#web/ui/button/button.tsx'

type OverlayProps = {
  open: boolean
  /**
   * Called when the user presses Esc or the close button. While a request is running, set `busy`, which disables both.
   * Without this property the dialog has no close button and must close itself after its task.
   */
  onClose?: (() => void) | undefined
  title: ReactNode
  /** Replaces the visible title and the close button. Then only screen readers read the title. */
  head?: ReactNode
  children: ReactNode
  /** The buttons at the bottom, which do not scroll with the content. */
  footer?: ReactNode
  /** Whether a request of the dialog is running. If so, Esc and the close button have no effect. */
  busy?: boolean
}

/**
 * A modal dialog on the native element: the page behind it is inert, Esc closes it, and the focus returns to the
 * element that opened it. Full screen on a phone; with the size `screen`, full screen everywhere and always white, for
 * content that staff show to a customer. A click beside the dialog does not close it, so that no input is lost.
 */
export function Dialog({
  size,
  ...props
}: OverlayProps & { size?: 'small' | 'search' | 'screen' }) {
  return props.open ? (
    <OpenDialog {...props} className={size ? `dialog dialog-${size}` : 'dialog'} modal />
  ) : null
}

/** The minimum window width at which the page beside a side panel remains usable. */
const besideThePage = '(min-width: 64rem)'

/**
 * A panel at the right. On a wide screen the page beside the panel stays usable (not modal). In a window narrower than
 * 64 rem the panel is a modal sheet at the bottom. Esc closes the panel, and the focus returns to the element that
 * opened it.
 */
export function SidePanel(props: OverlayProps) {
  const isWide = useMediaQuery(besideThePage)
  return props.open ? <OpenDialog {...props} className="side-panel" modal={!isWide} /> : null
}

/**
 * Asks for a confirmation before data is destroyed. `confirmLabel` names the action ('Delete'). Cancel has the focus
 * first.
 */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel = 'Cancel',
  busyLabel,
  isReady = true,
  onConfirm,
  ...props
}: Omit<OverlayProps, 'footer' | 'onClose'> & {
  onClose: () => void
  confirmLabel: string
  cancelLabel?: string
  busyLabel?: string
  /**
   * Whether the confirm button is enabled. The button is disabled while the effect of the action is unknown; the
   * content of the dialog then explains why.
   */
  isReady?: boolean
  onConfirm: () => void
}) {
  return (
    <Dialog
      {...props}
      size="small"
      footer={
        <>
          <Button level="quiet" disabled={props.busy} onClick={props.onClose} data-first-focus>
            {cancelLabel}
          </Button>
          <Button level="danger" disabled={props.busy || !isReady} onClick={onConfirm}>
            {props.busy ? (busyLabel ?? confirmLabel) : confirmLabel}
          </Button>
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
  /**
   * The number of `close` events that `reopenIn` has caused and that have not arrived yet. Such an event does not mean
   * that the user closed the dialog.
   */
  const pendingCloses = useRef(0)
  const titleId = useId()
  const close = () => !busy && onClose?.()

  // Runs after every render: the browser may have closed a dialog that its parent component still renders as open, for
  // example because the parent first asks for a confirmation.
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
    // Closing the dialog before React removes it returns the focus to the element that opened it.
    return () => {
      dialog.close()
      const back = opener.current
      // When a non-modal panel closes, the browser returns the focus only if the focus is in the panel. A button of the
      // panel that was disabled has already lost the focus.
      if (document.activeElement === document.body && back instanceof HTMLElement) back.focus()
    }
  }, [])

  return (
    <dialog
      ref={element}
      className={className}
      aria-labelledby={titleId}
      // `stopPropagation`, because React, unlike the browser, bubbles `cancel` and `close` events to a surrounding
      // dialog.
      onCancel={(event) => {
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
      // Browsers may close a dialog without a `cancel` event (a second Back on a phone). The dialog then calls
      // `onClose`, even if a render has already reopened the dialog.
      onClose={(event) => {
        event.stopPropagation()
        if (pendingCloses.current > 0) pendingCloses.current -= 1
        else onClose?.()
      }}
      // This listener handles Esc before the browser does, because the browser would close the dialog at a second Esc
      // without a confirmation.
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

/**
 * Whether another modal dialog is open above this one. If so, this dialog must not be reopened, because the reopened
 * dialog would cover the other dialog.
 */
const isCovered = (dialog: HTMLDialogElement) =>
  [...document.querySelectorAll('dialog:modal')].some((other) => other !== dialog)

/** Called when the window crosses the width at which a panel becomes modal. Preserves the input and the focus. */
function reopenIn(dialog: HTMLDialogElement, modal: boolean) {
  const focused = document.activeElement
  dialog.close()
  openIn(dialog, modal)
  if (focused instanceof HTMLElement && dialog.contains(focused)) focused.focus()
}

/**
 * Focuses the first field instead of the close button. On a touch screen, focusing a field would open the on-screen
 * keyboard, so the dialog leaves the focus unchanged.
 */
function focusFirst(dialog: HTMLDialogElement) {
  const chosen = dialog.querySelector<HTMLElement>('[data-first-focus]')
  const field = matchMedia('(pointer: fine)').matches
    ? dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')
    : null
  const first = chosen ?? field
  first?.focus()
}
