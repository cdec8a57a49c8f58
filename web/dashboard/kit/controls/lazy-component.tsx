import {
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
  useEffect,
  useState,
} from 'react'

/** A component whose code the browser loads on the first render, or earlier by `preload`. */
export type LazyComponent<Props extends object> = FunctionComponent<Props> & {
  readonly preload: () => undefined
}

/**
 * Like `React.lazy`, but without Suspense. Suspense shows its fallback for at least 300 ms even if the code loads
 * sooner, which would delay every first click on a tab. A failed load throws during rendering, so that the error
 * boundary shows it. The next render loads the code again.
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
