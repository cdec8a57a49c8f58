import { useEffect, useState } from 'react'

/** Less is not searched for: nearly everybody has it. */
export const minSearchLength = 2
/** Between the letters of a word pass some 100 ms, also with a slow hand. */
const typingPauseMs = 150

/** What is typed into a search, without blanks around it, once the typing pauses; `''` before the first pause. */
export function useDebouncedText(input: string): string {
  const search = input.trim()
  const [paused, setPaused] = useState('')
  useEffect(() => {
    const pause = setTimeout(() => setPaused(search), typingPauseMs)
    return () => clearTimeout(pause)
  }, [search])
  return paused
}
