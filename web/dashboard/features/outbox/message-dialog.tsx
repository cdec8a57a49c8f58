import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutboxEmail } from '#contracts/emails/emails.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import {
  emlUrl,
  type OutboxMessage,
  previewUrl,
  readMessage,
} from '#web/dashboard/kit/emails/emails.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'

type View = 'html' | 'text'

/** Shows an email as the customer sees it, or as plain text. */
export function MessageDialog({ email, onClose }: { email: OutboxEmail; onClose: () => void }) {
  const [view, setView] = useState<View>('html')
  const message = useQuery({
    queryKey: ['outbox', 'message', email.id],
    queryFn: () => readMessage(email.id),
  })
  return (
    <Dialog
      open
      title={email.subject}
      onClose={onClose}
      footer={
        <>
          <a
            className={buttonClass('secondary', { compact: true })}
            href={emlUrl(email.id)}
            download
          >
            Download .eml
          </a>
          <Button compact level="strong" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="message-head">
        <p className="muted">
          To {email.to.name && <b>{email.to.name}, </b>}
          {email.to.email}
          <br />
          {formatStamp(email.createdAt)}
        </p>
        <ViewToggle view={view} onShow={setView} />
      </div>
      {message.isError && (
        <LoadFailure
          title="The message could not be loaded."
          onRetry={() => void message.refetch()}
        >
          {message.error.message}
        </LoadFailure>
      )}
      {message.isPending && <Skeleton className="message-skeleton" />}
      {message.data && <Content message={message.data} view={view} />}
    </Dialog>
  )
}

function ViewToggle({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  return (
    <div className="toggle-buttons" role="group" aria-label="View as">
      <button type="button" aria-pressed={view === 'html'} onClick={() => onShow('html')}>
        Email
      </button>
      <button type="button" aria-pressed={view === 'text'} onClick={() => onShow('text')}>
        Text
      </button>
    </div>
  )
}

function Content({ message, view }: { message: OutboxMessage; view: View }) {
  return (
    <>
      {view === 'html' ? (
        // The email may contain untrusted text. The empty `sandbox` attribute blocks scripts, forms and navigation.
        <iframe
          className="email-preview"
          sandbox=""
          src={previewUrl(message.id)}
          title={message.subject}
        />
      ) : (
        <pre className="email-preview-text">{message.text}</pre>
      )}
      {message.attachments.length > 0 && (
        <p className="muted">
          Attached:{' '}
          {message.attachments
            .map(({ filename, bytes }) => `${filename} (${Math.ceil(bytes / 1024)} kB)`)
            .join(', ')}
        </p>
      )}
    </>
  )
}
