import { useEffect, useRef, useState } from 'react'
import { useShop } from '#web/lib/shop.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { loadServices, type Service } from './load-services.ts'

type Services =
  | { status: 'loading' }
  | { status: 'loaded'; services: readonly Service[] }
  | { status: 'failed' }

/**
 * The services that the page loaded last. When the visitor returns to step 1, the page shows them immediately and
 * refetches them in the background.
 */
let cached: readonly Service[] | null = null

/**
 * The services: first those in the HTML of the page, then those that the database's REST API returns. The result is
 * "loading" only while both are missing, for example when the visitor comes from another page.
 */
export function useServices(): Services & { retry: () => void } {
  const { services: rendered } = useShop()
  const first = cached ?? (rendered.length > 0 ? rendered : null)
  const [state, setState] = useState<Services>(
    first ? { status: 'loaded', services: first } : { status: 'loading' },
  )
  const hasFirst = useRef(first !== null)
  useEffect(() => {
    const abort = new AbortController()
    void load(abort.signal, hasFirst.current, setState)
    return () => abort.abort()
  }, [])
  const retry = () => {
    setState({ status: 'loading' })
    void load(new AbortController().signal, false, setState)
  }
  return { ...state, retry }
}

async function load(
  signal: AbortSignal,
  isShown: boolean,
  show: (state: Services) => void,
): Promise<void> {
  try {
    cached = await loadServices(signal)
    if (!signal.aborted) show({ status: 'loaded', services: cached })
  } catch (cause) {
    // While the page shows an earlier list, a failed refetch shows no error.
    if (signal.aborted || isShown) return
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
