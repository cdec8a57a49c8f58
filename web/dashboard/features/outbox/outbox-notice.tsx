import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import './outbox.css'

/** Says that messages are written but do not leave. `search` leads to the outbox. */
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
