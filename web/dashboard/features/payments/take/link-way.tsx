import { useState } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { MethodIcon } from '#web/dashboard/kit/payments/method-icon.tsx'
import {
  emailNotSetUp,
  messageInOutbox,
  useCanSendEmail,
} from '#web/dashboard/kit/records/use-onboarding.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { paths } from '#web/lib/paths.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import type { LinkSending, SentLink } from './use-send-link.ts'

// Only the payment method 'Link' needs the code that draws QR codes, so the browser loads that code separately.
const ScanLink = lazyComponent(
  async () => (await import('./scan-link.tsx')).ScanLink,
  <Skeleton className="pay-scan-pending" />,
)

/** The URL of the page where the customer pays the invoice online. */
const payAddress = ({ number }: ListedInvoice) =>
  new URL(`${paths.payInvoice}?invoice=${encodeURIComponent(number ?? '')}`, location.origin).href

type Props = { invoice: ListedInvoice; sending: LinkSending }

/**
 * The fields of the payment method 'Link': the email address that gets the payment link, and the link as text and QR
 * code for a customer at the counter.
 */
export function LinkWay({ invoice, sending }: Props) {
  const canSendEmail = useCanSendEmail()
  const { customerEmail } = invoice
  return (
    <div className="pay-link">
      <p className="pay-label">
        {customerEmail === null ? 'No email address. Copy the link.' : 'Send the payment link to'}
      </p>
      {customerEmail !== null && <p>{customerEmail}</p>}
      {customerEmail !== null && !canSendEmail && <p className="hint">{emailNotSetUp}</p>}
      <ScanLink invoice={invoice} />
      <p className="pay-label">Pay address</p>
      <p>
        <a className="touch-link" href={payAddress(invoice)} target="_blank" rel="noreferrer">
          {payAddress(invoice)}
        </a>
      </p>
      <div role="status">{sending.sent && <LinkReceipt sent={sending.sent} />}</div>
      {sending.error && <LinkFailure error={sending.error} />}
    </div>
  )
}

/** Confirms that the link was sent, with the recipient and the time. */
function LinkReceipt({ sent: { to, at } }: { sent: SentLink }) {
  const canSendEmail = useCanSendEmail()
  return (
    <div className="pay-result">
      <h3>Link sent, {formatShopTime(at)}.</h3>
      <p>
        {canSendEmail ? (
          <>
            <Badge>Queued</Badge> to {to}
          </>
        ) : (
          messageInOutbox
        )}
      </p>
    </div>
  )
}

function LinkFailure({ error }: { error: Error }) {
  const code = error instanceof DataError ? error.code : ''
  return (
    <Notice tone="bad" title="The link was not sent.">
      {problems[code] ?? 'Press the button again: the email is never sent twice. Or copy the link.'}
    </Notice>
  )
}

const problems: Readonly<Record<string, string>> = {
  NOT_PAYABLE: 'No payment is due on this invoice.',
  NO_EMAIL_ADDRESS: 'The customer no longer has an email address. Copy the link.',
}

/** The buttons that email or copy the payment link. Without an email address, staff can only copy the link. */
export function LinkFoot({ invoice, sending, formId }: Props & { formId: string }) {
  const sum = formatCents(invoice.balanceCents, invoice.currency)
  if (invoice.customerEmail === null) {
    return <CopyLink invoice={invoice} label={`Copy link for ${sum}`} isMain />
  }
  return (
    <>
      <Button
        compact
        large
        level="primary"
        type="submit"
        form={formId}
        busy={sending.isBusy && 'Sending…'}
      >
        <MethodIcon method="link" />
        Send link for {sum}
      </Button>
      <CopyLink invoice={invoice} label="Copy link" />
    </>
  )
}

type CopyProps = { invoice: ListedInvoice; label: string; isMain?: boolean }

/** The button that copies the payment link, and a message that states whether the browser allowed the copying. */
function CopyLink({ invoice, label, isMain = false }: CopyProps) {
  const [result, setResult] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(payAddress(invoice)).then(
      () => setResult('Copied.'),
      () => setResult('The browser did not allow copying. Select and copy the address above.'),
    )
  return (
    <>
      <Button
        compact
        large={isMain}
        level={isMain ? 'primary' : 'quiet'}
        onClick={() => void copy()}
      >
        {isMain && <MethodIcon method="link" />}
        {label}
      </Button>
      <p role="status">{result}</p>
    </>
  )
}
