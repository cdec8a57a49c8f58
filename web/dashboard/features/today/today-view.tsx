import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { TodayPage } from '#contracts/today.ts'
import { listWaitingOnShop } from '#domain/today/waiting-on-shop.ts'
import { listWaitingOnCustomer } from '#domain/today/waiting-on-customer.ts'
import { usePhoneBookingAddress } from '#web/dashboard/kit/bookings/use-phone-booking-address.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { useMediaQuery } from '#web/lib/browser/use-media-query.ts'
import { BookButton } from '#web/dashboard/kit/bookings/book-button.tsx'
import { OfflineBanner } from '#web/dashboard/kit/controls/offline-banner.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
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
 * The Today page: today's bookings, records that wait for the shop or for a customer, payments, and the load of the
 * week (docs/product.md 13).
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

/**
 * The sections of the Today page: in two columns in a wide window, in one column on a phone, where items that need
 * attention come first.
 */
function Sections({ today }: { today: TodayPage }) {
  const inColumns = useMediaQuery(hasRoomForColumns)
  const bookings = <TodaysBookingsCard day={today} />
  const week = <WeekChart week={today.week} today={today.day} />
  const needsAttention = <NeedsAttention today={today} />
  const waitingOnCustomers = <WaitingOnCustomers today={today} />
  const payments = (
    <PaymentsCard
      received={today.payments}
      expected={today.expected_payments}
      today={today.day}
      afterClose={today.payments_after_close}
      drawerCents={today.drawer_expects_cents}
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

function WaitingOnCustomers({ today }: { today: TodayPage }) {
  return (
    <WaitingList
      title="Waiting on customers"
      lines={listWaitingOnCustomer(today, clockOf(today))}
      empty="Nothing waiting."
    />
  )
}

function clockOf({ day, instant }: TodayPage) {
  return { today: day, instant: new Date(instant) }
}
