import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const web = fileURLToPath(new URL('web', import.meta.url))
const unused = fileURLToPath(new URL('web/lib/data/supabase-unused.ts', import.meta.url))

/**
 * The build of the browser code. `scripts/build-web.ts` uses this configuration for the site, the dashboard, and the
 * module that prerenders the pages. SANDBOX_UI=1 adds the component page /sandbox/ui to a build.
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
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
  },
})
