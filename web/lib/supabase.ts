import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'

/** The data service's client, which knows every table, column and procedure. */
export type DataService = SupabaseClient<Database>

let client: Promise<DataService> | undefined

/**
 * The data service's client, one for the page. Its code (28 kB brotli) is fetched at the first call, so
 * pages that need it early call this once when they mount. A failed fetch is tried again by the next call.
 *
 * The address and the public key are in `<meta name="data-service">`, filled in by the server; an empty
 * address means this site. The session lives in local storage and refreshes itself.
 */
export function getDataService(): Promise<DataService> {
  client ??= connect().catch((error: unknown) => {
    client = undefined
    throw error
  })
  return client
}

async function connect(): Promise<DataService> {
  const { createClient } = await import('@supabase/supabase-js')
  const { url, anonKey } = readSettings()
  return createClient<Database>(url || location.origin, anonKey, {
    auth: {
      persistSession: true,
      autoRefreshToken: true,
      storage: localStorage,
      detectSessionInUrl: false,
    },
  })
}

function readSettings(): { url: string; anonKey: string } {
  const content = document.querySelector('meta[name="data-service"]')?.getAttribute('content')
  if (!content?.startsWith('{')) throw new Error('The page does not name its data service.')
  return JSON.parse(content)
}
