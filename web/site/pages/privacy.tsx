import { addressLine } from '#domain/shop/shop.ts'
import { useShop } from '#web/lib/shop.ts'
import { PageHead, PageMain } from '#web/ui/page-main/page-main.tsx'
import './privacy.css'

/**
 * States which data the forms collect and how long the shop keeps it. California requires this of a site that collects
 * personal data (CalOPPA).
 */
export function PrivacyPage() {
  const shop = useShop()
  return (
    <PageMain className="page-width inner-page">
      <div className="narrow-column prose">
        <PageHead title="Privacy">
          We ask for the information that the job needs, use it for the job, and do not sell it.
        </PageHead>
        <h2>What we collect</h2>
        <ul>
          <li>
            <b>When you book:</b> name, email address, phone number, vehicle (year, make, model,
            color), the appointment, and any notes you add.
          </li>
          <li>
            <b>When you ask for a quote:</b> name, email address, vehicle, your description, and
            phone number if you give one.
          </li>
          <li>
            <b>When you pay:</b> your invoice number. Card details go to the payment provider on its
            own page; we never see or store them. We keep the amount, the time and the receipt
            address.
          </li>
          <li>
            <b>Spam protection:</b> how long a form was open, and a one-way code of your network
            address, kept for at most two days to limit how often one address can send forms and
            cause emails.
          </li>
        </ul>
        <h2>What we use your information for</h2>
        <p>
          To do the work, to contact you about the work, to send the confirmation, quote or receipt
          you asked for, and to keep the records the law requires of a repair shop. There is no
          advertising, no tracking across sites, and no cookies for visitors. This site does not
          respond differently to Do Not Track signals, because it does not track.
        </p>
        <h2>Who else sees your information</h2>
        <p>
          Our email and payment providers, as far as they need your information to deliver the
          message or take the payment. The map on the home page comes from OpenStreetMap, which sees
          your browser's request.
        </p>
        <h2>How long we keep your information</h2>
        <ul>
          <li>Quote requests that lead to no work: up to 12 months.</li>
          <li>
            Appointments, invoices and payments: at least three years, as California requires of
            repair shops, then as long as tax law requires.
          </li>
        </ul>
        <h2>Your choices</h2>
        <p>
          You may ask what we hold about you, have it corrected, or have it deleted unless the law
          requires us to keep it. Write to{' '}
          <a href={`mailto:${shop.supportEmail}`}>{shop.supportEmail}</a>, call{' '}
          <a href={shop.phone.href}>{shop.phone.display}</a>, or come by: {shop.name},{' '}
          {addressLine(shop)}.
        </p>
        <p>
          There are no accounts. Use the private link on the confirmation page or in our emails to
          view, change or cancel an appointment. Anyone with the link can do the same. Ask us, and
          we'll replace the link.
        </p>
        <p className="muted">
          In effect since November 21, 2026. When this page changes, the date changes with it, and
          we announce material changes on the home page.
        </p>
      </div>
    </PageMain>
  )
}
