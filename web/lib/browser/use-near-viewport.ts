import { type RefObject, useEffect, useState } from 'react'

/** Whether a box has been in view or near it: what only its reader needs is worked out from then on. */
export function useNearViewport(box: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (!box.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        setIsNear(true)
      },
      { rootMargin: '400px' },
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return isNear
}
