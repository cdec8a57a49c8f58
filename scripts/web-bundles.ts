import type { Rolldown } from 'vite'

/**
 * One of the two web applications, which are built separately (decision 8). The site's files are split by the needs of
 * each page; the dashboard has few files, because its users open most of its pages.
 */
export type WebBundle = {
  /** The paths of the modules, relative to web/. */
  readonly entries: readonly string[]
  /**
   * Groups of modules; the build bundles the modules of a group into one file. A module that matches several groups
   * belongs to the first of them.
   */
  readonly groups: Rolldown.CodeSplittingGroup[]
}

/** React rarely changes, so browsers can cache this file across versions of the site. */
const react = {
  name: 'react',
  test: /node_modules\/(react|react-dom|scheduler)\//,
}

/**
 * The module that the entry script of the public pages (web/site/entry.ts) imports after the first paint, before the
 * code of the page itself.
 */
export const hydrationEntry = 'site/hydrate.tsx'
export const siteEntry = 'site/entry.ts'
export const dashboardEntry = 'dashboard/entry.tsx'

export const siteBundle: WebBundle = {
  entries: [
    siteEntry,
    hydrationEntry,
    // The script that enhances the visit page (a customer's page of one booking) in the browser, with the styles that
    // the script imports.
    'customer-pages/visit-page/enhance-visit-page.ts',
    'customer-pages/estimate-page/enhance-estimate-page.ts',
    'customer-pages/enhance-join-page.ts',
  ],
  groups: [
    react,
    {
      // Modules that call the API, for pages with a form.
      name: 'call-api',
      test: /\/(web\/lib\/data\/call-(api|function)|contracts\/(api\/endpoint|form-token)|domain\/result)\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // The modules that every form needs.
      name: 'form',
      test: /\/web\/(lib\/(data\/supabase|forms\/use-form)|ui\/(button\/button|field\/field))\.tsx?/,
      includeDependenciesRecursively: false,
    },
    {
      // The modules of the two pages on which a visitor sends a form: booking and quote request.
      name: 'request',
      test: /\/(web\/(ui\/field\/honeypot|site\/kit\/(form-guard|insert-guarded|request-confirmation)|lib\/forms\/draft-storage)|domain\/(quotes\/quote-form|text\/text-input|customers\/vehicle))\.tsx?/,
      includeDependenciesRecursively: false,
    },
    {
      // The schemas with which the two payment pages validate API responses.
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
      // Modules with texts about the shop, for the home page and for the two pages that send a visitor's request.
      name: 'shop-words',
      test: /\/(web\/lib\/split-name-lines|domain\/(text\/duration-text|quotes\/reply-time|calendar\/special-hours))\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // Modules that most pages use; each is too small for a file of its own.
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
      // Modules that several sections of the settings use.
      name: 'settings',
      test: /\/(web\/dashboard\/features\/settings\/|contracts\/setup\.ts)/,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    {
      // Modules about customers and their records, which the first page of the dashboard does not need.
      name: 'customers',
      test: /\/(web\/dashboard\/kit\/(customers|highlights)|contracts\/customers\.ts)/,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    {
      // Modules about invoices and payments, which the first page of the dashboard does not need.
      name: 'payments',
      test: /\/(web\/dashboard\/kit\/(payments|step-up|corrections|deposits)|domain\/payments)\/|\/domain\/invoices\/invoice-age|\/contracts\/(invoices\/(invoices|invoice-list)|payments\/(counter-commands|deposits|invoice-commands|currency-code))\.ts/,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    {
      // Modules of the forms of versioned records, which the first page of the dashboard does not need.
      name: 'versioned-forms',
      test: /\/web\/dashboard\/kit\/forms\//,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    {
      // Modules with controls of the user interface that the first page of the dashboard does not need.
      name: 'controls',
      test: /\/web\/dashboard\/kit\/controls\/(form-(dialog|actions)|segments|offline-banner)\.tsx/,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    {
      // Modules about passkeys and authenticator apps for the login, the profile and the step-up authentication. The
      // browser loads these modules only when one of these views needs them.
      name: 'passkeys',
      test: /\/(contracts\/(passkeys|step-up|code-app)|web\/dashboard\/kit\/passkeys\/[\w-]+)\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // Modules about tablets and PINs for the shared tablet, the team settings and the profile. The browser loads
      // these modules only when one of these pages needs them.
      name: 'tablets',
      test: /\/contracts\/tablets\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // Modules about the backup. The settings and the page Today load these modules after they have loaded the page.
      name: 'backup',
      test: /\/(web\/dashboard\/kit\/backup|contracts)\/backup[\w-]*\.ts/,
      includeDependenciesRecursively: false,
    },
    {
      // Modules that several parts of the dashboard use. As separate files they would cost forty requests of a few
      // hundred bytes each.
      name: 'dashboard',
      test: /\/(web\/(art|dashboard\/kit|lib|ui)|domain|contracts)\/|\/@tanstack\/|\/zod\/|vite\/preload-helper/,
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
  ],
}
