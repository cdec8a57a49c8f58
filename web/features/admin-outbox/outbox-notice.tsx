import { isPlainClick } from '#web/lib/plain-click.ts'
import { Icon } from '#web/ui/icon.tsx'
import { useMailMode } from './use-outbox.ts'
import './outbox.css'

/** Says in the whole dashboard that messages are written but do not leave. `href` is the outbox. */
export function OutboxNotice({ href, onOpen }: { href: string; onOpen: () => void }) {
  if (useMailMode() !== 'outbox') return null
  return (
    <aside className="mail-notice" aria-label="Mail delivery">
      <Icon name="mail" />
      <span>
        <b>E-mail is not leaving yet:</b> no mail server is set.{' '}
        <a
          href={href}
          onClick={(event) => {
            if (!isPlainClick(event)) return
            event.preventDefault()
            onOpen()
          }}
        >
          Open the outbox
        </a>
      </span>
    </aside>
  )
}
