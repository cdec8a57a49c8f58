import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import './outbox.css'

/** States that emails are not sent because no mail server is set up. `search` is the link to the outbox. */
export function OutboxNotice(link: { search: string; onFollow: () => void }) {
  return (
    <aside className="mail-notice" aria-label="Mail delivery">
      <Icon name="mail" />
      <span>
        <b>Email is not set up.</b> Messages are kept in the outbox.{' '}
        <SearchLink {...link}>Open the outbox</SearchLink>
      </span>
    </aside>
  )
}
