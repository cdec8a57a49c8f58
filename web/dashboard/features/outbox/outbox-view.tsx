import { useState } from 'react'
import type { OutboxEmail } from '#contracts/emails/emails.ts'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { MessageDialog } from './message-dialog.tsx'
import { OutboxRow } from './outbox-row.tsx'
import { useOutbox } from './use-outbox.ts'
import './outbox.css'

/** All emails of the shop with their delivery state. Staff can read, resend and download each email. */
export function OutboxView() {
  const outbox = useOutbox()
  const resending = useResendEmail()
  const [openEmail, setOpenEmail] = useState<OutboxEmail>()
  return (
    <section className="outbox" aria-busy={outbox.isFetching}>
      <h2 className="tab-heading">Outbox</h2>
      {outbox.mode === 'outbox' && (
        <Notice title="Email is not set up.">
          Messages are kept in the outbox. After an owner has entered a mail server in Settings,
          Email, press Resend for messages that still matter. Until then, download a message and
          send it with your own email program.
        </Notice>
      )}
      {outbox.isFailed && (
        <LoadFailure title="The outbox could not be loaded." onRetry={outbox.retry} />
      )}
      {!outbox.emails && !outbox.isFailed && <Skeleton className="outbox-skeleton" />}
      {outbox.emails?.length === 0 && <EmptyState dashed title="No emails yet" />}
      {outbox.emails && outbox.emails.length > 0 && (
        <ul className="card outbox-list" aria-label="Emails">
          {outbox.emails.map((email) => (
            <OutboxRow key={email.id} email={email} resending={resending} onRead={setOpenEmail} />
          ))}
        </ul>
      )}
      {outbox.hasMore && (
        <p className="show-more">
          <Button compact disabled={outbox.isFetching} onClick={outbox.onShowMore}>
            Show more
          </Button>
        </p>
      )}
      {openEmail && <MessageDialog email={openEmail} onClose={() => setOpenEmail(undefined)} />}
    </section>
  )
}
