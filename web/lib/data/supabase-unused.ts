/*
 * Replaces @supabase/realtime-js and @supabase/storage-js in the browser's bundle (alias in vite.config.ts). The
 * product uses neither, and together they are 18 kB of the 47 kB of supabase-js (brotli). Only the constructors and the
 * two methods that supabase-js itself calls work; everything else throws.
 */
function unused(part: string): never {
  throw new Error(
    `This build of supabase-js comes without ${part} (web/lib/data/supabase-unused.ts).`,
  )
}

export class RealtimeClient {
  channel(): never {
    return unused('realtime')
  }
  getChannels(): [] {
    return []
  }
  /** supabase-js calls this method with each new access token, even if no user signs in. */
  setAuth(): Promise<void> {
    return Promise.resolve()
  }
}

export class StorageClient {
  from(): never {
    return unused('storage')
  }
}

export class StorageApiError extends Error {}
