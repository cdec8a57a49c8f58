import type { Rolldown } from 'vite'

/**
 * One of the two builds of the browser's part, which know nothing of each other (decision 8): the files of the site are
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
export const hydrationEntry = 'site/hydrate.tsx'
export const siteEntry = 'site/entry.ts'
export const dashboardEntry = 'dashboard/entry.tsx'

export const siteBundle: WebBundle = {
  entries: [
    siteEntry,
    hydrationEntry,
    // The same of what the server writes, with the styles that it imports.
    'customer-pages/visit-page/enhance-visit-page.ts',
    'customer-pages/estimate-page/enhance-estimate-page.ts',
  ],
  groups: [
    react,
    {
      // How the pages with a form call the server.
      name: 'call-api',
      test: /\/(web\/lib\/data\/call-(api|function)|contracts\/(api\/endpoint|form-token)|domain\/result)\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // What every form is made of.
      name: 'form',
      test: /\/web\/(lib\/(data\/supabase|forms\/use-form)|ui\/(button\/button|field\/field))\.tsx?/,
      includeDependenciesRecursively: false,
    },
    {
      // What the two pages share that send a visitor's request.
      name: 'request',
      test: /\/(web\/(ui\/field\/honeypot|site\/kit\/(form-guard|insert-guarded|request-confirmation)|lib\/forms\/tab-storage)|domain\/(quotes\/quote-form|text\/text-input|customers\/vehicle))\.tsx?/,
      includeDependenciesRecursively: false,
    },
    {
      // What answers are read by on the two pages of paying.
      name: 'schemas',
      test: /\/(contracts\/(invoices\/invoice-id|payments\/currency-code|api\/optional-if-invalid)\.ts|node_modules\/zod\/)/,
      includeDependenciesRecursively: false,
    },
    {
      name: 'dates',
      test: /\/domain\/calendar\/(calendar-date|shop-time)\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // Words of the shop that the home page and the two pages with a request say.
      name: 'shop-words',
      test: /\/(web\/lib\/split-name-lines|domain\/(text\/duration-text|quotes\/reply-time|calendar\/special-hours))\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // What most pages use: each by itself is too small for a file of its own.
      name: 'every-page',
      test: /\/(web\/(lib\/(paths|shop|browser\/(keep-focus|plain-click|reload-when-outdated|use-hydrated|use-near-viewport)|data\/log-quietly|time\/use-public-today)|ui\/(badge\/badge|brand\/brand|empty-state\/empty-state|error-boundary\/error-boundary|icon\/(icon|icon-paths)|menu\/(menu-(button|frame)|nav-links)|notice\/(no-script-notice|notice)|page-main\/page-main|skeleton\/skeleton|toast\/(toast|toast-region)))|domain\/(calendar\/(clock-time|opening-hours|shop-time-zone|special-days)|money\/format-cents))\.tsx?|vite\/preload-helper/,
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
      test: /\/web\/dashboard\/features\/settings\//,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    {
      // What parts of the dashboard share: forty files of a few hundred bytes would be asked for one by one.
      name: 'dashboard',
      test: /\/(web\/(art|dashboard\/kit|lib|ui)|domain|contracts)\/|\/@tanstack\/|\/zod\/|vite\/preload-helper/,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
  ],
}
