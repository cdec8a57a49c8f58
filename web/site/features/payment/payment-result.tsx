import './payment.css'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { usePaymentVerification, type VerificationState } from './use-payment-verification.ts'
import '#web/ui/skeleton/spinner.css'

/** The content below the headline of the page that confirms an online payment. */
export function PaymentResult() {
  const shop = useShop()
  const { state, invoiceNumber, again } = usePaymentVerification()
  return (
    <>
      {(state.kind === 'verified' || state.kind === 'unknown') && (
        <p className="success-lead">
          A confirmation email with your receipt and the invoice PDF has been sent.
        </p>
      )}
      <div className="payment-result" aria-live="polite">
        <Outcome state={state} invoiceNumber={invoiceNumber} again={again} />
      </div>
      <div className="button-row">
        <Link className={buttonClass('primary')} to={paths.home}>
          Return Home
        </Link>
        <Link className={buttonClass('secondary')} to={paths.payInvoice}>
          Pay Another Invoice
        </Link>
      </div>
      <p className="payment-questions">
        Questions about this payment?{' '}
        <a href={`mailto:${shop.billingEmail}`}>{shop.billingEmail}</a> or{' '}
        <a className="nowrap" href={shop.billingPhone.href}>
          {shop.billingPhone.display}
        </a>
      </p>
    </>
  )
}

function Outcome({
  state,
  invoiceNumber,
  again,
}: {
  state: VerificationState
  invoiceNumber: string | null
  again: () => void
}) {
  switch (state.kind) {
    case 'verifying':
      return (
        <p className="payment-verifying">
          <span className="spinner" aria-hidden="true" />
          Verifying payment...
        </p>
      )
    case 'verified':
      return (
        <>
          <PaymentDetails payment={state.verified.payment} />
          {state.verified.isTestMode && <Notice title="Test mode: no card was charged." />}
        </>
      )
    case 'failed':
      return (
        <Notice tone="bad" title={state.message}>
          {invoiceNumber && <p>Invoice number: {invoiceNumber}</p>}
          <Button level="quiet" onClick={again}>
            Check again
          </Button>
        </Notice>
      )
    case 'unknown':
      return (
        invoiceNumber && (
          <section className="card">
            <dl className="summary">
              <div>
                <dt>Invoice number</dt>
                <dd>{invoiceNumber}</dd>
              </div>
            </dl>
          </section>
        )
      )
    default:
      return state satisfies never
  }
}
