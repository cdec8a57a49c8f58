import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'
import { auditGroups, auditPeriods } from '#domain/audit/audit-filters.ts'
import { invoiceFilters } from '#domain/invoices/invoice-filters.ts'
import { dashboardPath, dashboardViews as at } from '#contracts/dashboard-paths.ts'
import { recallView } from '#web/dashboard/kit/navigation/remembered-views.ts'
import { parseSearch, stringifySearch } from '#web/dashboard/kit/navigation/search-text.ts'
import { DashboardLayout, type TabId } from './dashboard-layout.tsx'
import { currentAddress } from './former-addresses.ts'
import { views } from './lazy-views.tsx'

// Search parameters contain ids, dates and names of views, never a customer's name or phone number, and never a search
// text.
const text = optionalIfInvalid(z.string())
/** The search parameters of the phone booking panel: the date or the free slot to book, and the bay of the slot. */
const phoneBooking = { book: text, bay: text }
/** The search parameters of the booking panel: the id of the booking, and whether the panel moves or edits it. */
const bookingPanel = {
  booking: text,
  move: optionalIfInvalid(z.literal('open')),
  edit: optionalIfInvalid(z.literal('open')),
}
/** The search parameter of the dialog that converts a booking into a task: the id of the booking. */
const conversion = { convert: text }

const root = createRootRoute({
  component: DashboardLayout,
  validateSearch: z.object({ panel: optionalIfInvalid(z.literal('search')), pay: text }),
})
// Each route is a separate constant, because TypeScript does not infer the paths of routes that are created inside
// `addChildren`.
const top = { getParentRoute: () => root }
// The day view, the calendar and the list of appointments are one route with one component, so that the search and the
// selected bookings survive a switch between these views.
const appointmentViews = createRoute({
  ...top,
  id: 'appointment-views',
  component: views.appointments,
  staticData: { tab: 'appointments' },
})
const beside = { getParentRoute: () => appointmentViews }

const start = createRoute({
  ...top,
  path: at.start,
  validateSearch: z.record(z.string(), z.string()),
  beforeLoad: ({ search }) => {
    throw redirect({ ...currentAddress(search), replace: true })
  },
})
const today = createRoute({
  ...top,
  path: at.today,
  component: views.today,
  validateSearch: z.object(phoneBooking),
})
const day = createRoute({
  ...beside,
  path: at.day,
  validateSearch: z.object({
    ...bookingPanel,
    ...phoneBooking,
    ...conversion,
  }),
})
const appointments = createRoute({
  ...beside,
  path: at.appointments,
  validateSearch: z.object({
    view: optionalIfInvalid(z.enum(['calendar', 'list'])),
    day: text,
    ...bookingPanel,
    ...phoneBooking,
    ...conversion,
  }),
  beforeLoad: ({ search: { view, day: date, book, bay } }) => {
    if (view || recallView() !== 'day') return
    throw redirect({ to: at.day, params: { date }, search: { book, bay }, replace: true })
  },
})
const tasks = createRoute({
  ...top,
  path: at.tasks,
  component: views.tasks,
  validateSearch: z.object({
    task: text,
    status: text,
    note: text,
    create: optionalIfInvalid(z.literal('task')),
  }),
  staticData: { tab: 'tasks' },
})
const quotes = createRoute({
  ...top,
  path: at.quotes,
  component: views.quotes,
  validateSearch: z.object({ quote: text, reply: text, create: text }),
  staticData: { tab: 'quotes' },
})
const invoices = createRoute({
  ...top,
  path: at.invoices,
  component: views.invoices,
  validateSearch: z.object({ invoice: text, filter: optionalIfInvalid(z.enum(invoiceFilters)) }),
  staticData: { tab: 'invoices' },
})
const invoice = createRoute({
  ...top,
  path: at.invoice,
  component: views.invoice,
  remountDeps: ({ params }) => params,
  staticData: { tab: 'invoices' },
})
const estimate = createRoute({
  ...top,
  path: at.estimate,
  component: views.estimate,
  remountDeps: ({ params }) => params,
  staticData: { tab: 'invoices' },
})
const customer = createRoute({
  ...top,
  path: at.customer,
  component: views.customer,
  remountDeps: ({ params }) => params,
})
const vehicle = createRoute({
  ...top,
  path: at.vehicle,
  component: views.vehicle,
  remountDeps: ({ params }) => params,
})
const settings = createRoute({
  ...top,
  path: at.settings,
  component: views.settings,
  validateSearch: z.object({
    what: optionalIfInvalid(z.enum(auditGroups)),
    period: optionalIfInvalid(z.enum(auditPeriods)),
    who: optionalIfInvalid(z.uuid()),
  }),
})
const outbox = createRoute({ ...top, path: at.outbox, component: views.outbox })
const dayClose = createRoute({
  ...top,
  path: at.dayClose,
  component: views.dayClose,
  remountDeps: ({ params }) => params,
})

const receipt = createRoute({
  ...top,
  path: at.receipt,
  component: views.receipt,
  validateSearch: z.object({ given: text }),
  remountDeps: ({ params }) => params,
})

const profile = createRoute({ ...top, path: at.profile, component: views.profile })

const routeTree = root.addChildren([
  start,
  today,
  appointmentViews.addChildren([day, appointments]),
  tasks,
  quotes,
  invoices,
  invoice,
  estimate,
  customer,
  vehicle,
  settings,
  outbox,
  dayClose,
  receipt,
  profile,
])

export function createDashboardRouter() {
  return createRouter({
    routeTree,
    basepath: dashboardPath,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    // The router does not catch errors of a view, because the error boundary around the dashboard catches them.
    disableGlobalCatchBoundary: true,
  })
}

export type DashboardRouter = ReturnType<typeof createDashboardRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: DashboardRouter
  }
  interface StaticDataRouteOption {
    /** The tab of the bar that is selected while the view of this route is shown. */
    tab?: TabId
  }
}
