import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { OpenInvoice } from '#contracts/invoices/invoices.ts'
import type { TodayPage } from '#contracts/today.ts'
import { todaysPayments } from '#domain/today/todays-payments.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { listWaitingOnShop } from '#domain/today/waiting-on-shop.ts'
import { listWaitingOnCustomer } from '#domain/today/waiting-on-customer.ts'
import { usePhoneBookingAddress } from '#web/dashboard/kit/bookings/use-phone-booking-address.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { openInvoices } from '#web/dashboard/kit/records/open-invoices.ts'
import { useMediaQuery } from '#web/lib/browser/use-media-query.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { BookButton } from '#web/dashboard/kit/bookings/book-button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { BackupLine, BackupWarning } from './backup-lines.ts'
import { TodaysBookingsCard } from './todays-bookings.tsx'
import { PaymentsCard } from './payments-card.tsx'
import { readToday } from './today-api.ts'
import { TodayHead } from './today-head.tsx'
import { everyMinuteMs, todayKey } from './today-key.ts'
import { WaitingList } from './waiting-list.tsx'
import { WeekChart } from './week-chart.tsx'
import './today.css'

type Props = {
  /** The panel that books an appointment for a customer on the phone. */
  BookingPanel: ComponentType<{
    start: { date: string } | undefined
    onClose: () => void
  }>
}

/**
 * The Today page: today's bookings, items that need attention, waiting customers, payments, and the load of
 * the week (docs/product.md 13).
 */
export function TodayView({ BookingPanel }: Props) {
  const { start, open: openAt, close } = usePhoneBookingAddress()
  const today = useQuery({
    queryKey: [todayKey, 'page'],
    queryFn: readToday,
    refetchInterval: everyMinuteMs,
  })
  const date = today.data?.day
  const open = () => date && openAt({ date })
  useShortcut('n', open)
  return (
    <div className="today">
      <OfflineBanner />
      {today.isError && (
        <LoadFailure
          title="Today could not be loaded."
          readAt={today.data && new Date(today.dataUpdatedAt)}
          onRetry={() => void today.refetch()}
        >
          Your appointments are safe. Only loading them failed.
        </LoadFailure>
      )}
      {today.data && (
        <>
          <TodayHead
            day={today.data}
            bookButton={<BookButton isBooking={start !== undefined} onBook={open} />}
          />
          <BackupWarning />
          <Sections today={today.data} />
          <BackupLine />
        </>
      )}
      {today.isPending && <Skeleton className="today-skeleton" />}
      {start && <BookingPanel start={start} onClose={close} />}
    </div>
  )
}

const hasRoomForColumns = '(min-width: 64rem)'

/** Two columns in a wide window. On a phone one column, in which items that need attention come first. */
function Sections({ today }: { today: TodayPage }) {
  const inColumns = useMediaQuery(hasRoomForColumns)
  const invoices = useQuery({ ...openInvoices, refetchInterval: everyMinuteMs })
  const bookings = <TodaysBookingsCard day={today} />
  const week = <WeekChart week={today.week} today={today.day} />
  const needsAttention = <NeedsAttention today={today} />
  const waitingOnCustomers = (
    <WaitingOnCustomers
      today={today}
      invoices={invoices.data}
      isFailed={invoices.isError}
      onRetry={() => void invoices.refetch()}
    />
  )
  const payments = (
    <PaymentsCard
      money={todaysPayments(today.payments, invoices.data ?? [], today.bookings)}
      hasInvoices={invoices.data !== undefined}
    />
  )
  if (!inColumns) {
    return (
      <div className="today-sections">
        {needsAttention}
        {bookings}
        {waitingOnCustomers}
        {payments}
        {week}
      </div>
    )
  }
  return (
    <div className="today-columns">
      <div className="today-sections">
        {bookings}
        {week}
      </div>
      <div className="today-sections">
        {needsAttention}
        {waitingOnCustomers}
        {payments}
      </div>
    </div>
  )
}

function NeedsAttention({ today }: { today: TodayPage }) {
  return (
    <WaitingList
      title="Needs attention"
      lines={listWaitingOnShop(today, clockOf(today))}
      empty="You’re all caught up."
    />
  )
}

function WaitingOnCustomers(props: {
  today: TodayPage
  /** The open invoices; undefined until they are loaded from Stripe. */
  invoices: readonly OpenInvoice[] | undefined
  isFailed: boolean
  onRetry: () => void
}) {
  const { today, invoices, isFailed, onRetry } = props
  const lines = listWaitingOnCustomer({ ...today, invoices: invoices ?? [] }, clockOf(today))
  return (
    <WaitingList
      title="Waiting on customers"
      lines={lines}
      empty={invoices ? 'Nothing waiting.' : isFailed ? undefined : 'Checking invoices…'}
    >
      {isFailed && (
        <p className="today-missing" role="alert">
          Open invoices could not be loaded.{' '}
          <Button compact onClick={onRetry}>
            Try again
          </Button>
        </p>
      )}
    </WaitingList>
  )
}

function clockOf({ day, instant }: TodayPage) {
  return { today: day, instant: new Date(instant) }
}

function OfflineBanner() {
  const offlineSince = useOfflineSince()
  if (!offlineSince) return null
  return (
    <p className="today-offline" role="status">
      <Icon name="alert" />
      No connection. Showing {formatShopTime(offlineSince)}. Nothing is saved until it is back.
    </p>
  )
}
