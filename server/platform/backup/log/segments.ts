/**
 * A segment of the write-ahead log has PostgreSQL's default size of 16 MB. With this size, the names of 256 consecutive
 * segments begin with the same 16 digits.
 */
const perFile = 0x100

export const segmentBytes = 16 * 1024 * 1024

export const isSegmentName = (name: string): boolean => /^[0-9A-F]{24}$/.test(name)

/** Returns the name of the segment after `segment` on the same timeline. */
export function segmentAfter(segment: string): string {
  const timeline = segment.slice(0, 8)
  const number = Number.parseInt(segment.slice(8, 16), 16) * perFile
  const next = number + Number.parseInt(segment.slice(16), 16) + 1
  return timeline + hex(Math.floor(next / perFile)) + hex(next % perFile)
}

const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, '0')
