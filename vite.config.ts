import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'

const web = fileURLToPath(new URL('web', import.meta.url))
const unused = fileURLToPath(new URL('web/lib/supabase-unused.ts', import.meta.url))

/**
 * The browser's part of the product. `scripts/build-web.ts` runs it twice: once for the browser, once for
 * the module that prerenders the pages. SANDBOX_UI=1 adds the component page /sandbox/ui to a build.
 */
export default defineConfig({
  root: web,
  publicDir: 'public',
  plugins: [react()],
  resolve: {
    alias: { '@supabase/realtime-js': unused, '@supabase/storage-js': unused },
  },
  define: {
    __SANDBOX_UI__: JSON.stringify(process.env['SANDBOX_UI'] === '1'),
    __BUILD_YEAR__: JSON.stringify(new Date().getUTCFullYear()),
  },
  build: {
    target: 'baseline-widely-available',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
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
              // What the page of booking and the dashboard share.
              name: 'booking',
              test: /\/(domain\/(booking-(form|notice|rules)|price-from|service-order|shop-calendar)|web\/ui\/service-card)\.tsx?/,
              includeDependenciesRecursively: false,
            },
            {
              // What answers are read by: the two pages of paying and the dashboard.
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
            {
              // What the sections of the settings share.
              name: 'settings',
              test: /\/web\/features\/admin-settings\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              // What parts of the dashboard share: forty files of a few hundred bytes would be asked for one by one.
              name: (id, graph) => (isPublic(id, graph) ? null : 'dashboard'),
              debugName: 'dashboard',
              test: /\/(web\/(art|lib|ui)|domain|contracts)\/|\/@tanstack\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})

type ModuleGraph = { getModuleInfo(id: string): Rolldown.ModuleInfo | null }

/** Whether a page of the site needs the module: it is reached from another way in than the dashboard's. */
function isPublic(id: string, graph: ModuleGraph): boolean {
  const reaching = new Set([id])
  for (const known of reaching) {
    const info = graph.getModuleInfo(known)
    if (info?.isEntry && !known.includes('entry-admin')) return true
    for (const importer of [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])])
      reaching.add(importer)
  }
  return false
}
