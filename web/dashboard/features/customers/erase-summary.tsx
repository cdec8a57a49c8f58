import { useQuery } from '@tanstack/react-query'
import type { ErasurePreview } from '#contracts/customers.ts'
import { lastCopyExpiresOn } from '#domain/backup/last-copy.ts'
import { formatDayOfYear, formatMediumDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { backupQuery } from '#web/dashboard/kit/backup/backup-query.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { formatCount, formatCounts } from '#web/dashboard/kit/customers/customer-text.ts'

const tracesUntilTonight =
  'Traces of the data can remain in the database’s files until tonight, and in backups until the backups expire.'
const tracesOfProvider =
  'The database provider decides how long traces of the data remain in the database’s files. Backups keep the data until the backups expire.'

/**
 * Lists the data that the erasure deletes, the records that the law requires the shop to keep, and the open records
 * that prevent the erasure.
 */
export function EraseSummary({ preview }: { preview: ErasurePreview }) {
  return (
    <>
      <p>{deletedText(preview.counts)} will be deleted permanently.</p>
      {preview.retainedUntil && (
        <p className="note">
          <b>Kept because the law requires it:</b> {retainedText(preview.retained)}, with the name,
          until {formatMediumDate(preview.retainedUntil)}.
        </p>
      )}
      <p className="note">{preview.areFilesCleaned ? tracesUntilTonight : tracesOfProvider}</p>
      <LastCopy />
      {preview.open.map((open) => (
        <Notice key={open.id} tone="bad">
          {openText(open)}
        </Notice>
      ))}
    </>
  )
}

/**
 * States the day on which the last backup with the customer's data is deleted. Renders nothing if the shop has no
 * backup.
 */
function LastCopy() {
  const { data } = useQuery(backupQuery)
  const today = useShopToday()
  if (!data || data.target === null) return null
  if (data.isDeletionRefused) {
    return (
      <p className="note">
        This site cannot delete the copies at the target of the continuous backup. The rules of the
        target decide when the last copy expires.
      </p>
    )
  }
  return (
    <p className="note">
      The last copy in the continuous backup expires on{' '}
      {formatMediumDate(lastCopyExpiresOn(today, data))}.
    </p>
  )
}

/**
 * Lists the data that the erasure deletes: 'Name, phone, email, 2 notes, plate and VIN of 2 vehicles, and 31 emails'.
 */
function deletedText({ vehicles, emails, notes, quotes }: ErasurePreview['counts']): string {
  const things = [
    notes > 0 && formatCount(notes, 'note'),
    quotes > 0 && `the content of ${formatCount(quotes, 'quote request')}`,
    vehicles > 0 && `plate and VIN of ${formatCount(vehicles, 'vehicle')}`,
    emails > 0 && formatCount(emails, 'email'),
  ]
  return new Intl.ListFormat('en-US').format([
    'Name',
    'phone',
    'email address',
    ...things.filter((thing) => thing !== false),
  ])
}

/** Lists how many records of each kind the law requires the shop to keep: '6 invoices, 2 estimates'. */
function retainedText(retained: ErasurePreview['retained']): string {
  const count = (kind: 'invoice' | 'estimate') =>
    retained.filter((each) => each.kind === kind).length
  return formatCounts([count('invoice'), 'invoice'], [count('estimate'), 'estimate'])
}

/**
 * Returns the text about an open record that prevents the erasure, for example an unpaid invoice: what staff must do to
 * close the record.
 */
function openText({ kind, title, at }: ErasurePreview['open'][number]): string {
  if (kind === 'booking') {
    const when = `${formatDayOfYear(at.slice(0, 10))} at ${formatTime(at.slice(11, 16))}`
    return `There is an appointment on ${when}. Cancel or finish it first.`
  }
  if (kind === 'estimate') return `Estimate ${title} is open. Finish or delete it first.`
  return `Invoice ${title ?? 'without a number'} is open. It has to be paid or voided first.`
}
