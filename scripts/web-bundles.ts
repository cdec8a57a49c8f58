import type { Rolldown } from 'vite'

/**
 * One of the two builds of the browser's part, which know nothing of each other (decision 27): the files of the site are
 * cut to what each page needs, those of the dashboard are few, because all of it is used by the same person.
 */
export type WebBundle = {
  /** Below web/. */
  readonly entries: readonly string[]
  /** Which modules stand in one file; a module goes to the first group that names it. */
  readonly groups: Rolldown.CodeSplittingGroup[]
}

/** It changes seldom, so browsers keep it from one version of the site to the next. */
const react = {
  name: 'react',
  test: /node_modules\/(react|react-dom|scheduler)\//,
}

/** What the public entry imports once the page is painted, before the page's own code (web/site/entry.ts). */
export const hydrationEntry = 'app/take-over.tsx'
export const siteEntry = 'entry-client.ts'
export const dashboardEntry = 'entry-admin.tsx'

export const siteBundle: WebBundle = {
  entries: [
    siteEntry,
    hydrationEntry,
    // The same of what the server writes, with the styles that it imports.
    'app/take-over-visit.ts',
    'app/take-over-estimate.ts',
  ],
  groups: [
    react,
    {
      // How the pages with a form call the server.
      name: 'call-api',
      test: /\/(web\/lib\/call-(api|function)|contracts\/(endpoint|form-token)|domain\/result)\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // What every form is made of.
      name: 'form',
      test: /\/web\/(lib\/(supabase|use-form)|ui\/(button|field))\.tsx?/,
      includeDependenciesRecursively: false,
    },
    {
      // What the two pages share that send a visitor's request.
      name: 'request',
      test: /\/(web\/(ui\/honeypot|lib\/(form-guard|insert-guarded|request-confirmation|tab-memory))|domain\/(quote-form|typed-text|vehicle))\.tsx?/,
      includeDependenciesRecursively: false,
    },
    {
      // What answers are read by on the two pages of paying.
      name: 'schemas',
      test: /\/(contracts\/(invoice-id|currency-code|if-readable)\.ts|node_modules\/zod\/)/,
      includeDependenciesRecursively: false,
    },
    {
      name: 'dates',
      test: /\/domain\/(calendar-date|shop-time)\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // Words of the shop that the home page and the two pages with a request say.
      name: 'shop-words',
      test: /\/(web\/lib\/lines-of-name|domain\/(duration-text|reply-time|special-spells))\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // What most pages use: each by itself is too small for a file of its own.
      name: 'every-page',
      test: /\/(web\/(app\/(error-boundary|keep-focus|menu-(button|frame)|nav-links|paths|reload-when-outdated)|lib\/(log-quietly|plain-click|shop|use-hydrated|use-near|use-public-today)|ui\/(badge|brand|empty-state|icon|icon-paths|no-script-notice|notice|page-main|skeleton|toast|toast-region))|domain\/(clock-time|format-cents|opening-hours|shop-time-zone|special-days))\.tsx?|vite\/preload-helper/,
      includeDependenciesRecursively: false,
    },
  ],
}

export const dashboardBundle: WebBundle = {
  entries: [dashboardEntry],
  groups: [
    react,
    {
      // What the sections of the settings share.
      name: 'settings',
      test: /\/web\/features\/admin-settings\//,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    {
      // What parts of the dashboard share: forty files of a few hundred bytes would be asked for one by one.
      name: 'dashboard',
      test: /\/(web\/(app|art|lib|ui)|domain|contracts)\/|\/@tanstack\/|\/zod\/|vite\/preload-helper/,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
  ],
}
