import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'

/** The client of the data service (the database's REST API), typed with every table, column and procedure. */
export type DataService = SupabaseClient<Database>

/**
 * The key in local storage under which a client of the database's REST API stores its tokens; undefined selects the
 * default key of supabase-js.
 */
type StorageKey = 'visitor' | undefined

const clients = new Map<StorageKey, Promise<DataService>>()

/**
 * The dashboard's client of the database's REST API, which sends the tokens of the signed-in user. A page has only one
 * such client.
 */
export const getDataService = () => getClient(undefined)

/**
 * The public pages' client of the database's REST API. Its user is always an anonymous visitor, also when this browser
 * is signed in to the dashboard: its storage key differs from the dashboard's, and visitors never sign in.
 */
export const getVisitorService = () => getClient('visitor')

/**
 * Returns the client. Its code (28 kB brotli) is loaded at the first call. Pages that need the code early call this
 * function once when they mount. After a failed load, the next call tries again.
 *
 * The server writes the URL of the database's REST API and the public key into `<meta name="data-service">`. An empty
 * URL means that this site's host serves the API. The client stores its tokens in local storage and renews them itself.
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
