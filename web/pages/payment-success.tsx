import { PageHead, PageMain } from '#web/ui/page-main.tsx'

export function PaymentSuccessPage() {
  return (
    <PageMain className="wrap page">
      <PageHead title="Payment" />
    </PageMain>
  )
}
