import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'

/** The data service's client, which knows every table, column and procedure. */
export type DataService = SupabaseClient<Database>

/** Where a session is kept in local storage; undefined is where the client keeps it by default. */
type StorageKey = 'visitor' | undefined

const clients = new Map<StorageKey, Promise<DataService>>()

/** The data service's client as the dashboard uses it: with the session of who is signed in, one for the page. */
export const getDataService = () => getClient(undefined)

/**
 * The client as public pages use it: always a visitor, whoever is signed in to the dashboard in this browser. Sessions
 * are kept under another key, and nobody signs in there.
 */
export const getVisitorService = () => getClient('visitor')

/**
 * The client's code (28 kB brotli) is fetched at the first call, so pages that need it early call this once when they
 * mount. A failed fetch is tried again by the next call.
 *
 * The address and the public key are in `<meta name="data-service">`, filled in by the server; an empty
 * address means this site. The session lives in local storage and refreshes itself.
 */
function getClient(storageKey: StorageKey): Promise<DataService> {
  const existing = clients.get(storageKey)
  if (existing) return existing
  const client = connect(storageKey).catch((error: unknown) => {
    clients.delete(storageKey)
    throw error
  })
  clients.set(storageKey, client)
  return client
}

async function connect(storageKey: StorageKey): Promise<DataService> {
  const { createClient } = await import('@supabase/supabase-js')
  const { url, anonKey } = readSettings()
  return createClient<Database>(url || location.origin, anonKey, {
    auth: {
      persistSession: true,
      autoRefreshToken: true,
      storage: localStorage,
      detectSessionInUrl: false,
      ...(storageKey && { storageKey }),
    },
  })
}

function readSettings(): { url: string; anonKey: string } {
  const content = document.querySelector('meta[name="data-service"]')?.getAttribute('content')
  if (!content?.startsWith('{')) throw new Error('The page does not name its data service.')
  return JSON.parse(content)
}
