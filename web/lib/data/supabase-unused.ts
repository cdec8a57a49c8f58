/*
 * Stands in for @supabase/realtime-js and @supabase/storage-js in the browser's bundle (alias in
 * vite.config.ts). The product uses neither, and together they are 18 kB of supabase-js's 47 (brotli).
 * Anything but construction and the two calls that supabase-js makes by itself throws.
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
  /** supabase-js passes each new access token on, sign-in or not. */
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
