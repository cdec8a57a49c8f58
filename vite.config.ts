import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
              test: /\/(web\/lib\/call-api|contracts\/(endpoint|form-token)|domain\/result)\.ts/,
              includeDependenciesRecursively: false,
            },
            {
              // What the two pages of paying share.
              name: 'paying',
              test: /\/contracts\/(invoice-id|currency-code|if-readable)\.ts/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'dates',
              test: /\/domain\/(calendar-date|shop-time)\.ts/,
              includeDependenciesRecursively: false,
            },
            {
              // What most pages use and is too small for a file of its own.
              name: 'small',
              test: /\/(web\/(lib\/(log-quietly|shop|use-hydrated|use-near|use-public-today)|ui\/(badge|no-script-notice|notice|page-main))|domain\/(clock-time|format-cents|opening-hours|shop-time-zone|special-days))\.tsx?/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})
