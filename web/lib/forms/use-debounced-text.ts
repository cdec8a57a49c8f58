import { useEffect, useState } from 'react'

/** A shorter text is not searched for, because it matches nearly every record. */
export const minSearchLength = 2
/**
 * The pause in milliseconds after which typing counts as paused. Typed characters follow each other within about 100
 * ms, also when a person types slowly.
 */
const typingPauseMs = 150

/** The trimmed text of a search field after each pause in typing; `''` before the first pause. */
export function useDebouncedText(input: string): string {
  const search = input.trim()
  const [paused, setPaused] = useState('')
  useEffect(() => {
    const pause = setTimeout(() => setPaused(search), typingPauseMs)
    return () => clearTimeout(pause)
  }, [search])
  return paused
}
