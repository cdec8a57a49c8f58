import type { ComponentType } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'

const view = (load: () => Promise<ComponentType>) => lazyComponent(load, <Skeleton />)

/** The views of the dashboard. The browser loads the code of a view when the user is about to follow a link to it. */
export const views = {
  today: view(async () => (await import('./views/today-view.tsx')).TodayView),
  appointments: view(async () => (await import('./views/appointments-view.tsx')).AppointmentsView),
  tasks: view(async () => (await import('./views/tasks-view.tsx')).TasksView),
  quotes: view(async () => (await import('./views/quotes-view.tsx')).QuotesView),
  invoices: view(async () => (await import('./views/invoices-view.tsx')).InvoicesView),
  invoice: view(
    async () => (await import('./features/invoices/detail/invoice-page.tsx')).InvoicePage,
  ),
  estimate: view(async () => (await import('./features/estimates/estimate-page.tsx')).EstimatePage),
  customer: view(async () => (await import('./features/customers/customer-page.tsx')).CustomerPage),
  vehicle: view(async () => (await import('./features/vehicles/vehicle-page.tsx')).VehiclePage),
  settings: view(async () => (await import('./views/settings-view.tsx')).SettingsView),
  dayClose: view(
    async () => (await import('./features/day-close/day-close-page.tsx')).DayClosePage,
  ),
  receipt: view(
    async () => (await import('./features/payments/receipt/receipt-page.tsx')).ReceiptPage,
  ),
  technician: view(async () => (await import('./technician-dashboard.tsx')).TechnicianDashboard),
  profile: view(async () => (await import('./views/profile-view.tsx')).ProfileView),
  codeAppRequired: view(
    async () => (await import('./views/code-app-required-view.tsx')).CodeAppRequiredView,
  ),
  tablet: view(async () => (await import('./tablet-page.tsx')).TabletPage),
  outbox: view(async () => (await import('./features/outbox/outbox-view.tsx')).OutboxView),
}
