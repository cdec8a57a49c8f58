/** A size as text: '820 MB', '3.1 GB'. Sizes below one megabyte become '1 MB'. */
export function formatBytes(bytes: number): string {
  const megabytes = Math.max(1, Math.round(bytes / 1_000_000))
  return megabytes < 1000 ? `${megabytes} MB` : `${(megabytes / 1000).toFixed(1)} GB`
}
