import { useShop } from '#web/lib/shop.ts'
import { formatMinutes, type RulesForm } from './rules-row.ts'

/** Previews the website's texts that depend on the booking rules. */
export function RulesPreview({ values }: { values: RulesForm }) {
  const shop = useShop()
  if (values.isPaused)
    return (
      <div className="preview-card">
        <h4>Book Appointment</h4>
        <p>{values.pauseSentence}</p>
        <p>{shop.phone.display}</p>
      </div>
    )
  return (
    <div className="preview-card">
      <h4>Available Times</h4>
      <p>
        We require at least {formatMinutes(values.noticeMinutes)} notice for new bookings. Same-day
        slots within that window will be hidden.
      </p>
    </div>
  )
}
