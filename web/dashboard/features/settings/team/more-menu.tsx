import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  /** Of whom the actions are. */
  subject: string
  actions: readonly { readonly label: string; readonly run: () => void; readonly isRed?: boolean }[]
}

/**
 * A button that opens a menu with the rarely used actions of a row. Escape, or moving the focus out of the menu, closes
 * the menu.
 */
export function MoreMenu({ subject, actions }: Props) {
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const closing = {
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || !isOpen) return
      event.stopPropagation()
      setOpen(false)
      opener.current?.focus()
    },
    onBlur({ relatedTarget }: FocusEvent) {
      if (!menu.current?.contains(relatedTarget)) setOpen(false)
    },
  }
  return (
    <div ref={menu} className="more-menu">
      <Button
        ref={opener}
        compact
        square
        level="quiet"
        aria-label={`More for ${subject}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        {...closing}
      >
        <Icon name="more" />
      </Button>
      {isOpen && (
        <ul aria-label={`Actions for ${subject}`}>
          {actions.map(({ label, run, isRed }) => (
            <li key={label}>
              <Button
                compact
                level={isRed ? 'danger' : 'quiet'}
                {...closing}
                onClick={() => {
                  // Focuses the button of the menu before running the action: if the action opens a dialog, the dialog
                  // later returns the focus to that button.
                  opener.current?.focus()
                  setOpen(false)
                  run()
                }}
              >
                {label}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
