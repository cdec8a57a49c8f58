import { useEffect, useState } from 'react'

const typingPauseMs = 250

/** A field that searches bookings by name, phone, email or vehicle. The search starts when the user pauses typing. */
export function SearchField({
  value,
  onSearch,
}: {
  value: string
  onSearch: (search: string) => void
}) {
  const [input, setInput] = useState(value)
  useEffect(() => {
    if (input.trim() === value) return
    const pause = setTimeout(() => onSearch(input.trim()), typingPauseMs)
    return () => clearTimeout(pause)
  }, [input, value, onSearch])
  return (
    <input
      className="input booking-search"
      type="search"
      aria-label="Search appointments by name, phone, email or vehicle"
      placeholder="Name, phone, email or vehicle"
      maxLength={100}
      value={input}
      onChange={(event) => setInput(event.target.value)}
    />
  )
}
