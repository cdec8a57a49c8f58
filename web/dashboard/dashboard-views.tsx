import type { ComponentType } from 'react'
import { OnboardingLink } from '#web/dashboard/features/onboarding/onboarding-link.tsx'
import { navigateSearch, useSearchParams } from '#web/dashboard/kit/navigation/use-search-params.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'

const OutboxView = lazyComponent(
  async () => (await import('#web/dashboard/features/outbox/outbox-view.tsx')).OutboxView,
  <Skeleton />,
)
const TodayView = lazyComponent(
  async () => (await import('#web/dashboard/features/today/today-view.tsx')).TodayView,
  <Skeleton />,
)
const SettingsView = lazyComponent(
  async () => (await import('#web/dashboard/features/settings/settings-view.tsx')).SettingsView,
  <Skeleton />,
)
const CustomerPage = lazyComponent(
  async () => (await import('#web/dashboard/features/customers/customer-page.tsx')).CustomerPage,
  <Skeleton />,
)
const VehiclePage = lazyComponent(
  async () => (await import('#web/dashboard/features/vehicles/vehicle-page.tsx')).VehiclePage,
  <Skeleton />,
)

/** The view that shows the onboarding steps of a new shop. */
const stepsLink = '?tab=appointments'

/** The pages of the dashboard that have no tab. Each has its own address. */
export const dashboardViews = ['today', 'outbox', 'settings', 'person', 'car'] as const

type Props = {
  view: (typeof dashboardViews)[number]
  /** The panel that books an appointment for a customer on the phone. */
  BookingPanel: ComponentType<{
    start: { date: string } | undefined
    onClose: () => void
    onBooked: (bookingId: string, date: string) => void
  }>
  onSearch: () => void
}

export function DashboardView({ view, BookingPanel, onSearch }: Props) {
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
          listEnd={<OnboardingLink search={stepsLink} onShow={() => navigateSearch(stepsLink)} />}
        />
      )
    case 'person':
      return <CustomerPage key={id} id={id} onSearch={onSearch} />
    case 'car':
      return <VehiclePage key={id} id={id} />
  }
}
