import { formatDuration } from '#domain/text/duration-text.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import './more-services.css'

/** The services that link to the page for quote requests (docs/product.md 2.2). */
const toQuote = [
  'Oil changes',
  'Tire rotation and alignment',
  'Battery testing',
  'Air conditioning',
  'Exhaust and suspension',
]
const toBooking = ['Pre-purchase inspections', 'Scheduled maintenance']

/** The additional services as plain links, followed by the phone number for any other service. */
export function MoreServices() {
  const { appointmentMinutes, phone } = useShop()
  return (
    <section className="section more-services">
      <div className="page-width">
        <div className="section-head">
          <h2 className="display-heading">Also on the list</h2>
          <p>
            Most appointments take about {formatDuration(appointmentMinutes)}. Choose one and we'll
            take it from there.
          </p>
        </div>
        <div className="more-services-columns">
          <div>
            <h3>Ask for a free quote</h3>
            <LinkList className="more-services-split" to={paths.requestQuote} labels={toQuote} />
          </div>
          <div>
            <h3>Book a time directly</h3>
            <LinkList to={paths.bookAppointment} labels={toBooking} />
          </div>
        </div>
        <div className="phone-callout">
          <p>Not sure what it needs? Describe the noise; we've probably heard it before.</p>
          <a href={phone.href}>{phone.display}</a>
        </div>
      </div>
    </section>
  )
}

function LinkList(props: { to: string; labels: string[]; className?: string }) {
  return (
    <ul className={props.className}>
      {props.labels.map((label) => (
        <li key={label}>
          <Link to={props.to}>
            {label}
            <Icon name="arrow-right" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
