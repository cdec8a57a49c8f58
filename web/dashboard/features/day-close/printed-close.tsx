import type { ReactNode } from 'react'
import type { DayClose } from '#contracts/payments/day-close.ts'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { denominationName, denominations } from '#domain/money/cash-count.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useShop } from '#web/lib/shop.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { closeReasonText, listCorrections, wayNames, ways } from './close-texts.ts'

const widths = { receipt: 'printed-close-80mm', letter: 'printed-close-full-page' } as const

/**
 * The printed record of a day: black only, 72 mm wide on the receipt printer. The printout of an open day states that
 * the day is not closed.
 */
export function PrintedClose({ day, format }: { day: DayClose; format: 'receipt' | 'letter' }) {
  const { close, cash, methods } = day
  const sums = { ...methods, cash: { cents: cash.changeCents } }
  const received = ways.reduce((sum, way) => sum + sums[way].cents, 0)
  return (
    <article className={`printed-close ${widths[format]}`}>
      <ShopLines />
      <h3>Day close, {formatMediumDate(day.day)}</h3>
      <dl>
        <Line name="Closed">
          {close ? (
            <>
              {formatShopTime(new Date(close.closedAt))},{' '}
              <StaffName username={close.closedByName} at={close.closedAt} />
            </>
          ) : (
            'Not closed yet'
          )}
        </Line>
        <Line name="Drawer">{day.drawer}</Line>
      </dl>
      <dl>
        {ways.map((way) => (
          <Line key={way} name={wayNames[way]}>
            {formatCents(sums[way].cents)}
          </Line>
        ))}
      </dl>
      <dl>
        <Line name="All methods" isStrong>
          {formatCents(received)}
        </Line>
        {cash.refundedCents > 0 && (
          <Line name="Cash refunds in it">−{formatCents(cash.refundedCents)}</Line>
        )}
      </dl>
      {close && <Drawer day={day} />}
      <p className="printed-close-signature">Signature</p>
    </article>
  )
}

function ShopLines() {
  const shop = useShop()
  return (
    <p className="printed-close-shop">
      <b>{shop.name}</b>
      <br />
      {shop.address.street}
      <br />
      {shop.address.city}, {shop.address.state} {shop.address.postalCode}
      <br />
      {shop.phone.display}
    </p>
  )
}

function Drawer({ day }: { day: DayClose }) {
  const { close } = day
  if (!close) return null
  const difference = close.countedCents - close.expectedCents
  return (
    <>
      <dl>
        <Line name="Start">{formatCents(close.startCents)}</Line>
        <Line name="Drawer expected">{formatCents(close.expectedCents)}</Line>
        {denominations
          .filter((denomination) => close.counted[denomination])
          .map((denomination) => (
            <Line
              key={denomination}
              name={`${close.counted[denomination]} × ${denominationName(denomination)}`}
            >
              {formatCents((close.counted[denomination] ?? 0) * denomination)}
            </Line>
          ))}
        <Line name="Drawer counted">{formatCents(close.countedCents)}</Line>
      </dl>
      <p className="printed-close-difference">
        <span>{difference === 0 ? 'Matches' : difference < 0 ? 'Short' : 'Over'}</span>{' '}
        <span>{formatCents(Math.abs(difference))}</span>
      </p>
      {close.reason && <p>{closeReasonText(close)}</p>}
      <dl>
        <Line name="For the bank">{formatCents(close.countedCents - close.remainsCents)}</Line>
        <Line name="Next start">{formatCents(close.remainsCents)}</Line>
        {listCorrections(close).map(({ correction }) => (
          <Line key={correction.id} name={`Correction: ${correction.reason}`}>
            {formatCents(correction.amountCents)}
          </Line>
        ))}
      </dl>
    </>
  )
}

function Line(props: { name: string; isStrong?: boolean; children: ReactNode }) {
  return (
    <div className={props.isStrong ? 'printed-close-strong' : undefined}>
      <dt>{props.name}</dt> <dd>{props.children}</dd>
    </div>
  )
}
