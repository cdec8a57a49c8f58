import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type HighlightsSubject,
  formatHighlights,
  readCustomerHighlights,
} from './customer-highlights.ts'
import { vehicleLink, customerLink } from '#web/dashboard/kit/navigation/links.ts'
import { TypedEmails } from '#web/dashboard/kit/customers/customer-emails.tsx'
import './highlights-note.css'

const maxAgeMs = 60_000

/** Highlights of a customer, with links to the customer and the vehicle (docs/product.md 16.25). */
export function HighlightsNote(props: {
  about: HighlightsSubject
  /** Called with an email address after staff have added it to the customer. */
  onUseEmail?: (email: string) => void
}) {
  const { about, onUseEmail } = props
  const { data: highlights } = useQuery({
    queryKey: ['highlights', about],
    queryFn: () => readCustomerHighlights(about).then((read) => read ?? null),
    staleTime: maxAgeMs,
    retry: false,
  })
  if (!highlights) return null
  return (
    <div className="note highlights-note">
      {formatHighlights(highlights).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <TypedEmails emails={highlights.unconfirmedEmails} onUse={onUseEmail} />
      <p className="highlights-links">
        <Link {...customerLink(highlights.customerId)}>Open this customer</Link>
        {highlights.vehicleId && (
          <Link {...vehicleLink(highlights.vehicleId)}>All about this vehicle</Link>
        )}
      </p>
    </div>
  )
}
