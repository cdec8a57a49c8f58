import { useQuery } from '@tanstack/react-query'
import { type HighlightsSubject, formatHighlights, readCustomerHighlights } from '#web/lib/facts.ts'
import { vehicleLink, customerLink } from '#web/lib/record-links.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { TypedEmails } from './typed-emails.tsx'
import './facts-note.css'

const maxAgeMs = 60_000

/** What is known of a customer and of their car, with the way to both (docs/product.md 16.25). */
export function HighlightsNote(props: {
  about: HighlightsSubject
  /** Called with an address that staff made one of the customer's. */
  onUseEmail?: (email: string) => void
}) {
  const { about, onUseEmail } = props
  const { data: highlights } = useQuery({
    queryKey: ['facts', about],
    queryFn: () => readCustomerHighlights(about).then((read) => read ?? null),
    staleTime: maxAgeMs,
    retry: false,
  })
  if (!highlights) return null
  return (
    <div className="note facts-note">
      {formatHighlights(highlights).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <TypedEmails emails={highlights.typedEmails} onUse={onUseEmail} />
      <p className="facts-links">
        <SearchLink search={customerLink(highlights.customerId)}>
          All about this customer
        </SearchLink>
        {highlights.vehicleId && (
          <SearchLink search={vehicleLink(highlights.vehicleId)}>All about this vehicle</SearchLink>
        )}
      </p>
    </div>
  )
}
