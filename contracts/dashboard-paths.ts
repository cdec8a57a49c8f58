/** The address of the dashboard. All its views are below it. */
export const dashboardPath = '/admin-dashboard'

/** The address of the shared tablet, which the dashboard answers too. */
export const tabletPath = '/tablet'

/** The sections of the settings, in the order of the menu, by their names in the URL. */
export const settingsSections = [
  'shop',
  'hours',
  'bays',
  'services',
  'rules',
  'estimates',
  'email',
  'payments',
  'team',
  'audit',
  'backup',
  'accountant',
] as const

export type SettingsSection = (typeof settingsSections)[number]

/**
 * The address of every view below `dashboardPath`, in the notation of the dashboard's router: `$id` is a
 * parameter, `{-$date}` is an optional parameter. The server answers these addresses with the dashboard and all
 * others with the 404 page.
 */
export const dashboardViews = {
  start: '/',
  today: '/today',
  day: '/day/{-$date}',
  appointments: '/appointments',
  tasks: '/tasks',
  quotes: '/quotes',
  invoices: '/invoices',
  invoice: '/invoices/$id',
  estimate: '/estimates/$id',
  customer: '/customers/$id',
  vehicle: '/vehicles/$id',
  settings: '/settings/{-$section}',
  outbox: '/outbox',
  dayClose: '/day-close/$date',
  receipt: '/receipts/$id',
  profile: '/profile',
} as const

const shapes: Readonly<Record<string, string>> = {
  id: '[^/]+',
  date: '\\d{4}-\\d\\d-\\d\\d',
  section: settingsSections.join('|'),
}

/** Whether a path is the address of a view of the dashboard. */
export function isDashboardPath(path: string): boolean {
  return Object.values(dashboardViews).some((view) => patternOf(view).test(path))
}

function patternOf(view: string): RegExp {
  const pattern = view
    .replace(/^\/$/, '')
    .replace(/\/\{-\$(\w+)\}/, (_, name: string) => `(/(${shapes[name]}))?`)
    .replace(/\$(\w+)/, (_, name: string) => `(${shapes[name]})`)
  return new RegExp(`^${dashboardPath}${pattern}$`)
}
