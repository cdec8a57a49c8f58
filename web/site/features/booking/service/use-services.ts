import { useEffect, useState } from 'react'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { loadServices, type Service } from './load-services.ts'

type Services =
  | { status: 'loading' }
  | { status: 'loaded'; services: Service[] }
  | { status: 'failed' }

/**
 * The services since the page was loaded. A return to step 1 shows them immediately and refetches them in the
 * background.
 */
let cached: Service[] | null = null

export function useServices(): Services & { retry: () => void } {
  const [state, setState] = useState<Services>(
    cached ? { status: 'loaded', services: cached } : { status: 'loading' },
  )
  useEffect(() => {
    const abort = new AbortController()
    void load(abort.signal, setState)
    return () => abort.abort()
  }, [])
  const retry = () => {
    setState({ status: 'loading' })
    void load(new AbortController().signal, setState)
  }
  return { ...state, retry }
}

async function load(signal: AbortSignal, show: (state: Services) => void): Promise<void> {
  try {
    cached = await loadServices(signal)
    if (!signal.aborted) show({ status: 'loaded', services: cached })
  } catch (cause) {
    // A failed refetch is not shown while an earlier list is on the page.
    if (signal.aborted || cached) return
    logQuietly('The services were not loaded', cause)
    show({ status: 'failed' })
    toast(loadFailed)
  }
}

const loadFailed = {
  title: 'Error',
  description: 'Failed to load services. Please try again.',
  variant: 'destructive',
} as const
