import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether visits are being ticked; at the end the focus is back on the button that began it. */
export function useSelecting(): {
  readonly isSelecting: boolean
  readonly begin: () => void
  readonly end: () => void
  readonly button: RefObject<HTMLButtonElement | null>
} {
  const [isSelecting, select] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const end = () => {
    flushSync(() => select(false))
    button.current?.focus()
  }
  return { isSelecting, begin: () => select(true), end, button }
}
