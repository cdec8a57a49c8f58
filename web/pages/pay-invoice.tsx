import { PageHead, PageMain } from '#web/ui/page-main.tsx'

export function PayInvoicePage() {
  return (
    <PageMain className="wrap page">
      <PageHead title="Pay an Invoice" />
    </PageMain>
  )
}
