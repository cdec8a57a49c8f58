import type { ComponentType } from 'react'
import { StepsLine } from '#web/features/admin-first-steps/steps-line.tsx'
import { showSearch, useSearchParams } from '#web/lib/use-search-params.ts'
import { loadLater } from '#web/ui/load-later.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const OutboxView = loadLater(
  async () => (await import('#web/features/admin-outbox/outbox-view.tsx')).OutboxView,
  <Skeleton />,
)
const TodayView = loadLater(
  async () => (await import('#web/features/admin-today/today-view.tsx')).TodayView,
  <Skeleton />,
)
const SettingsView = loadLater(
  async () => (await import('#web/features/admin-settings/settings-view.tsx')).SettingsView,
  <Skeleton />,
)
const PersonPage = loadLater(
  async () => (await import('#web/features/admin-people/person-page.tsx')).CustomerPage,
  <Skeleton />,
)
const CarPage = loadLater(
  async () => (await import('#web/features/admin-people/car-page.tsx')).VehiclePage,
  <Skeleton />,
)

/** Where a fresh shop's steps are shown. */
const stepsLink = '?tab=appointments'

/** What the dashboard shows without a tab, each at its own address. */
export const linkedViews = ['today', 'outbox', 'settings', 'person', 'car'] as const

type Props = {
  view: (typeof linkedViews)[number]
  /** Books a caller. */
  BookingPanel: ComponentType<{
    start: { date: string } | undefined
    onClose: () => void
    onBooked: (bookingId: string, date: string) => void
  }>
  onSearch: () => void
}

export function LinkedView({ view, BookingPanel, onSearch }: Props) {
  const [params] = useSearchParams()
  const id = params.get(view) ?? ''
  switch (view) {
    case 'today':
      return <TodayView BookingPanel={BookingPanel} />
    case 'outbox':
      return <OutboxView />
    case 'settings':
      return (
        <SettingsView
          listEnd={<StepsLine search={stepsLink} onShow={() => showSearch(stepsLink)} />}
        />
      )
    case 'person':
      return <PersonPage key={id} id={id} onSearch={onSearch} />
    case 'car':
      return <CarPage key={id} id={id} />
  }
}
