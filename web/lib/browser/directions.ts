/**
 * Returns the URL that opens navigation on the visitor's phone: Apple Maps on an iPhone or iPad, the app that Android
 * uses for maps, and elsewhere `map`, a page with a map. Android without such an app opens `map`, too
 * (developer.chrome.com/docs/android/intents).
 */
export function directionsUrl(destination: string, map: string, userAgent: string): string {
  const place = encodeURIComponent(destination)
  if (/iPhone|iPad|iPod/.test(userAgent)) return `https://maps.apple.com/?daddr=${place}`
  if (!userAgent.includes('Android')) return map
  return `intent:0,0?q=${place}#Intent;scheme=geo;S.browser_fallback_url=${encodeURIComponent(map)};end`
}

/**
 * Adds a listener that opens the navigation app when the user presses a link with the attribute `data-directions`,
 * which contains the destination. The `href` of the link opens a map, because the server does not know the kind of the
 * phone when it renders the link.
 */
export function openDirections({ target }: MouseEvent): void {
  const link =
    target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-directions]') : null
  if (!link) return
  const { directions = '', map = link.href } = link.dataset
  link.dataset['map'] = map
  link.href = directionsUrl(directions, map, navigator.userAgent)
}
