import { latestEmail } from '#contracts/emails/email-delivery.ts'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { quoteServiceLabel } from '#domain/quotes/quote-form.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'
import { mailto } from '#web/lib/browser/mailto.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { RepairDetails } from '#web/dashboard/kit/records/repair-details.tsx'
import { useLinkedRecord } from '#web/dashboard/kit/records/use-linked-record.ts'
import type { ResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { DeliveryState, NeedsPhoneCall } from '#web/dashboard/kit/emails/delivery-state.tsx'
import { QuoteButtons, type QuoteHandlers } from './quote-buttons.tsx'
import { flagReasonText } from './quote-text.ts'

type Props = {
  quote: QuoteRequest
  /**
   * Whether the URL contains the id of this quote request. If so, the page scrolls to the quote request and highlights
   * it.
   */
  isLinked: boolean
  handlers: QuoteHandlers
  resending: ResendEmail
}

/** One quote request with its description, the shop's reply, and the delivery state of its emails. */
export function QuoteRecord({ quote, isLinked, handlers, resending }: Props) {
  const linked = useLinkedRecord<HTMLElement>(isLinked)
  return (
    <article
      className={`card record quote-record ${isLinked ? 'quote-linked' : ''}`}
      {...linked}
      aria-label={`Quote request of ${quote.name}`}
    >
      <div>
        <h3>
          {quote.name} <QuoteBadges quote={quote} />
        </h3>
        <p>
          <a className="touch-link" href={mailto(quote.email)} title={quote.email}>
            {quote.email}
          </a>
        </p>
        {quote.phone && (
          <p>
            <a className="touch-link" href={tel(quote.phone)}>
              {quote.phone}
            </a>
          </p>
        )}
      </div>
      <div>
        <p>
          <b>{quoteServiceLabel(quote.service_type)}</b>
        </p>
        <p>{vehicleText(quote)}</p>
        <p className="record-detail">
          <time dateTime={quote.created_at}>{formatStamp(quote.created_at)}</time>
        </p>
      </div>
      <div className="quote-asked">
        <p className="quote-text">{quote.description}</p>
        {quote.flagged_reasons.length > 0 && (
          <div className="quote-reasons">
            <p>Possibly spam:</p>
            <ul>
              {quote.flagged_reasons.map((reason) => (
                <li key={reason}>{flagReasonText(reason)}</li>
              ))}
            </ul>
          </div>
        )}
        <Correspondence quote={quote} resending={resending} />
        {quote.estimates.length > 0 && <RepairDetails kind="quote" id={quote.id} />}
      </div>
      <div className="record-actions">
        <QuoteButtons quote={quote} {...handlers} />
      </div>
    </article>
  )
}

function QuoteBadges({ quote }: { quote: QuoteRequest }) {
  return (
    <>
      {quote.status === 'completed' ? (
        <Badge tone="ok">Completed</Badge>
      ) : (
        <Badge tone="warn">Pending</Badge>
      )}
      {quote.flagged_reasons.length > 0 && <Badge tone="ring">Looks automated</Badge>}
    </>
  )
}

/** The emails to the customer with their delivery state, and the text of the reply. */
function Correspondence({ quote, resending }: { quote: QuoteRequest; resending: ResendEmail }) {
  const shown = [
    { what: 'Confirmation', email: latestEmail(quote.emails, 'quote_confirmation') },
    { what: 'Reply', email: latestEmail(quote.emails, 'quote_reply') },
  ]
  const needsCall = shown.some(({ email }) => email?.status === 'failed')
  const [reply] = quote.quote_email_logs
    .filter(({ sent_at }) => sent_at !== null)
    .toSorted((a, b) => (b.sent_at ?? '').localeCompare(a.sent_at ?? ''))
  return (
    <div className="quote-mail">
      {shown.map(
        ({ what, email }) =>
          email && (
            <DeliveryState
              key={email.id}
              email={email}
              what={what}
              recipient={quote.name}
              onResend={resending.resend}
              isBusy={resending.busyId === email.id}
            />
          ),
      )}
      {needsCall && <NeedsPhoneCall phone={quote.phone} />}
      {reply && (
        <details>
          <summary>Your reply: {reply.subject}</summary>
          <p className="note quote-text">{reply.final_body}</p>
        </details>
      )}
    </div>
  )
}
