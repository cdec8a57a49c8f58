import { PaymentResult } from '#web/site/features/payment/payment-result.tsx'
import { MarkedBolt } from '#web/ui/art/drawings.tsx'
import { PageMain } from '#web/ui/page-main/page-main.tsx'
import '#web/ui/text/success.css'

export function PaymentSuccessPage() {
  return (
    <PageMain className="success">
      <div className="page-width success-columns">
        <MarkedBolt />
        <div>
          <h1 tabIndex={-1}>Payment Successful!</h1>
          <PaymentResult />
        </div>
      </div>
    </PageMain>
  )
}
