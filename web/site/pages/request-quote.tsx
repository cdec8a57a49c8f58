import { replyTime } from '#domain/quotes/reply-time.ts'
import { QuoteRequestForm } from '#web/site/features/quote-request/quote-form.tsx'
import { useShop } from '#web/lib/shop.ts'
import { NoScriptNotice } from '#web/ui/notice/no-script-notice.tsx'
import { PageHead, PageMain } from '#web/ui/page-main/page-main.tsx'
import './request-quote.css'

export function RequestQuotePage() {
  const shop = useShop()
  return (
    <PageMain className="page-width inner-page">
      <div className="narrow-column">
        <PageHead title="Request a Quote">
          Tell us what the car is doing and get a detailed estimate. It is free, and there is no
          obligation.
        </PageHead>
        <NoScriptNotice />
        <QuoteRequestForm />
        <section className="what-next">
          <h2>What Happens Next?</h2>
          <ol className="next-steps">
            <li>
              <b>Review</b>
              <p>A technician reads your request and looks up your vehicle.</p>
            </li>
            <li>
              <b>Contact</b>
              <p>We call or email you within {replyTime(shop)}.</p>
            </li>
            <li>
              <b>Quote</b>
              <p>You receive a detailed estimate and can schedule the service.</p>
            </li>
          </ol>
        </section>
      </div>
    </PageMain>
  )
}
