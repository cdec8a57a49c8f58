import { Link } from '@tanstack/react-router'
import { outboxLink } from '#web/dashboard/kit/navigation/links.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import './outbox.css'

/** States that emails are not sent because no mail server is set up. */
export function OutboxNotice() {
  return (
    <aside className="mail-notice" aria-label="Mail delivery">
      <Icon name="mail" />
      <span>
        <b>Email is not set up.</b> Messages are kept in the outbox.{' '}
        <Link {...outboxLink}>Open the outbox</Link>
      </span>
    </aside>
  )
}
