import { type RefObject, useEffect, useState } from 'react'

/** Whether an element has entered the viewport or come near it. Components defer expensive work until then. */
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
