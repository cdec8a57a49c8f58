const count = (value: number, unit: string) => `${value} ${unit}${value === 1 ? '' : 's'}`

/**
 * A duration in words: 75 minutes → '1 hour and 15 minutes', 120 → '2 hours', 45 → '45 minutes'
 * (docs/product.md 9.1).
 */
export function formatDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [hours > 0 && count(hours, 'hour'), rest > 0 && count(rest, 'minute')]
  return parts.filter(Boolean).join(' and ') || count(0, 'minute')
}

/** A duration in short form: 90 minutes → '1 hr 30 min', 60 → '1 hr', 45 → '45 min'. */
export function formatShortDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return (
    [hours > 0 && `${hours} hr`, rest > 0 && `${rest} min`].filter(Boolean).join(' ') || '0 min'
  )
}
