const units = [
  { seconds: 86_400, unit: 'day' },
  { seconds: 3600, unit: 'hour' },
  { seconds: 60, unit: 'minute' },
  { seconds: 1, unit: 'second' },
] as const

/**
 * The time since an instant in words: '10 seconds ago', '1 hour ago'. A future instant is 'just now', because the
 * clocks of browser and server can differ.
 */
export function timeAgo(instant: Date, now: Date): string {
  const passed = Math.floor((now.getTime() - instant.getTime()) / 1000)
  const fitting = units.find(({ seconds }) => passed >= seconds)
  if (!fitting) return 'just now'
  const count = Math.floor(passed / fitting.seconds)
  return `${count} ${fitting.unit}${count === 1 ? '' : 's'} ago`
}
