import { useEffect, useState } from 'react'

/**
 * The minimum length of a search text. The dashboard does not search for a shorter text, because nearly every record
 * would match it.
 */
export const minSearchLength = 2
/**
 * The time, in milliseconds, without a key press after which typing counts as paused. Even a slow typist usually types
 * the next character sooner.
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
