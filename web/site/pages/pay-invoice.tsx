import { NeedHelp } from '#web/site/features/payment/need-help.tsx'
import { PayInvoice } from '#web/site/features/payment/pay-invoice.tsx'
import { PageHead, PageMain } from '#web/ui/page-main/page-main.tsx'

export function PayInvoicePage() {
  return (
    <PageMain className="page-width inner-page">
      <PageHead title="Pay Invoice" />
      <PayInvoice />
      <NeedHelp />
    </PageMain>
  )
}
