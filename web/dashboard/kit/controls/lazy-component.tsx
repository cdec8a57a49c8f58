import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** A component whose code is fetched when it is first drawn, or when `preload` says so. */
export type LazyComponent<Props extends object> = ComponentType<Props> & {
  readonly preload: () => void
}

/**
 * Like `React.lazy` with a fallback of its own. Suspense keeps a fallback that it has shown for 300 ms, even
 * when the code was there at once: every first click on a tab would wait for that. What cannot be loaded is
 * thrown while drawing, for the error boundary; the next try fetches again.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode,
): LazyComponent<Props> {
  let code: ComponentType<Props> | undefined
  let coming: Promise<void> | undefined
  const fetchCode = () =>
    (coming ??= load().then(
      (loaded) => void (code = loaded),
      (cause: unknown) => {
        coming = undefined
        throw cause
      },
    ))

  function Later(props: Props) {
    const [Code, setCode] = useState(() => code)
    const [failure, setFailure] = useState<{ cause: unknown }>()
    useEffect(() => {
      if (Code) return
      fetchCode().then(
        () => setCode(() => code),
        (cause: unknown) => setFailure({ cause }),
      )
    }, [Code])
    if (failure) throw failure.cause
    return Code ? <Code {...props} /> : fallback
  }
  return Object.assign(Later, { preload: () => void fetchCode().catch(() => undefined) })
}
