import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  /** Of whom the actions are. */
  subject: string
  actions: readonly { readonly label: string; readonly run: () => void; readonly isRed?: boolean }[]
}

/** The rare actions of a row, behind a button. Escape and leaving the menu close it. */
export function MoreMenu({ subject, actions }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <div
      className="more-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        setOpen(false)
        opener.current?.focus()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <Button
        ref={opener}
        compact
        square
        level="quiet"
        aria-label={`More for ${subject}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
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
                onClick={() => {
                  // A dialog that the action opens returns the focus to the element that had it.
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
