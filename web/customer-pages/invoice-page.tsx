import type { InvoicePage } from '#contracts/api/customer-pages.ts'
import type { LinkedInvoice } from '#contracts/invoices/linked-invoice.ts'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'
import type { PageContent } from './page-content.ts'
import { ActionButton, NoticeBox, PageHeading, PhoneLink } from './page-parts.tsx'

/**
 * The page of one invoice, which anyone with the private link can open. The page of a void or cancelled invoice shows
 * no amounts.
 */
export function invoicePage(page: InvoicePage): PageContent {
  const heading = headingOf(page.invoice)
  const main = (
    <main id="main" tabIndex={-1} className="visit">
      <section className="visit-sky">
        <div className="page-width">
          <div className="visit-text">
            <p className="visit-whose">Invoice {page.invoice.number}</p>
            <PageHeading isResult={page.paymentNotice === undefined}>{heading}</PageHeading>
            {hasEnded(page.invoice) ? <EndedInvoice /> : <Balance {...page} />}
          </div>
        </div>
      </section>
      {!hasEnded(page.invoice) && <Work invoice={page.invoice} />}
    </main>
  )
  return { title: heading, main }
}

const hasEnded = ({ state }: LinkedInvoice) => state === 'void' || state === 'cancelled'

function headingOf(invoice: LinkedInvoice): string {
  if (invoice.state === 'void') return 'This invoice is void'
  if (invoice.state === 'cancelled') return 'This invoice was cancelled'
  if (invoice.balanceCents === 0) return 'Nothing is due'
  return `Your balance is ${formatCents(invoice.balanceCents, invoice.currency)}`
}

function EndedInvoice() {
  return (
    <p className="visit-lead">
      There is nothing to pay on this invoice. Questions? Call <PhoneLink />.
    </p>
  )
}

function Balance({ invoice, path, paymentNotice }: InvoicePage) {
  const { phone } = useShop()
  const money = (cents: number) => formatCents(cents, invoice.currency)
  const { balanceCents, dueDate, paidCents, totalCents } = invoice
  return (
    <>
      <NoticeBox>{paymentNotice && notices[paymentNotice](phone.display)}</NoticeBox>
      <p className="visit-lead">
        {dueDate !== null && balanceCents > 0 && `Due ${formatDate(dueDate)}. `}
        Total {money(totalCents)}, tax included.{paidCents > 0 && ` Paid ${money(paidCents)}.`}
      </p>
      <div className="visit-actions visit-pay">
        {balanceCents > 0 && (
          <ActionButton action={`${path}/pay`} busy="Opening…" variant="primary">
            {`Pay ${money(balanceCents)} now`}
          </ActionButton>
        )}
        <a className={buttonClass('secondary')} href={`${path}/invoice.pdf`}>
          Invoice PDF
        </a>
      </div>
    </>
  )
}

const notices = {
  unavailable: () =>
    'The payment page could not be opened. Nothing was charged. Try again, or call us.',
  not_set_up: (phone: string) =>
    `Online payments are not set up. Please pay at the shop, or call us at ${phone}.`,
}

function Work({ invoice }: Pick<InvoicePage, 'invoice'>) {
  const { work, currency } = invoice
  return (
    <section className="page-width visit-body">
      {work.length > 0 && (
        <div className="visit-parts">
          <section>
            <h2>What we did</h2>
            <ul className="visit-timeline">
              {work.map(({ position, description, cents }) => (
                <li key={position}>
                  {description}, {formatCents(cents, currency)}
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
      <div className="visit-note">
        <p className="visit-privately">
          <Icon name="lock" />
          <span>Anyone with this link can see and pay this invoice, but no other invoice.</span>
        </p>
        {invoice.balanceCents > 0 && (
          <p className="visit-privately">
            <Icon name="mail" />
            <span>Want the receipt by email? You can type your address on the payment page.</span>
          </p>
        )}
      </div>
    </section>
  )
}
