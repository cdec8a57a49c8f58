/** The path of the dashboard. The paths of all views of the dashboard begin with this path. */
export const dashboardPath = '/admin-dashboard'

/** The path of the page for shared tablets. The server sends the dashboard's HTML document for this path too. */
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
 * The path of every view below `dashboardPath`, in the notation of the dashboard's router: `$id` is a parameter,
 * `{-$date}` is an optional parameter. The server sends the dashboard for these paths and the 404 page for all other
 * paths below `dashboardPath`.
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

/** Returns whether a path belongs to a view of the dashboard. */
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
