import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls once to the record that the URL of the page names, and focuses this record. */
export function useLinkedRecord<Element extends HTMLElement>(
  isLinked: boolean,
): { ref: RefObject<Element | null>; tabIndex: -1 | undefined } {
  const ref = useRef<Element>(null)
  useEffect(() => {
    if (!isLinked) return
    ref.current?.scrollIntoView({ block: 'center' })
    ref.current?.focus({ preventScroll: true })
  }, [isLinked])
  return { ref, tabIndex: isLinked ? -1 : undefined }
}
