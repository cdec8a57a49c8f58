import { addDays, formatDate } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useShop } from '#web/lib/shop.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { type EstimateRulesForm, laborRateOf } from './estimate-rules-row.ts'

/** Previews the header and the footer of an estimate with the typed values. */
export function EstimatePreview({ values }: { values: EstimateRulesForm }) {
  const shop = useShop()
  const today = useShopToday()
  const rate = laborRateOf(values)
  const days = Number(values.goodForDays)
  const isUntil = Number.isInteger(days) && days >= 1 && days <= 365
  return (
    <div className="preview-card">
      <h4>Estimate</h4>
      <p>{shop.legalName}</p>
      {values.registrationNumber && <p>Automotive Repair Dealer {values.registrationNumber}</p>}
      {values.epaNumber && <p>EPA ID {values.epaNumber}</p>}
      <dl className="estimate-preview">
        <dt>Good until</dt>
        <dd>{isUntil ? formatDate(addDays(today, days)) : ''}</dd>
        <dt>Labor, 1 h</dt>
        <dd>{rate === undefined ? '' : formatCents(rate)}</dd>
      </dl>
      <p className="estimate-conditions">{values.conditions}</p>
    </div>
  )
}
