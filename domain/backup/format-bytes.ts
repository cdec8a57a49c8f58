/** A size in words: '820 MB', '3.1 GB'. Less than a megabyte counts as one. */
export function formatBytes(bytes: number): string {
  const megabytes = Math.max(1, Math.round(bytes / 1_000_000))
  return megabytes < 1000 ? `${megabytes} MB` : `${(megabytes / 1000).toFixed(1)} GB`
}
