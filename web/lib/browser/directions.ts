/**
 * Returns the address that opens navigation on the visitor's phone: Apple Maps on an iPhone or iPad, the app that
 * Android uses for maps, and elsewhere `map`, a page with a map. Android without such an app opens `map`, too
 * (developer.chrome.com/docs/android/intents).
 */
export function directionsUrl(destination: string, map: string, userAgent: string): string {
  const place = encodeURIComponent(destination)
  if (/iPhone|iPad|iPod/.test(userAgent)) return `https://maps.apple.com/?daddr=${place}`
  if (!userAgent.includes('Android')) return map
  return `intent:0,0?q=${place}#Intent;scheme=geo;S.browser_fallback_url=${encodeURIComponent(map)};end`
}

/**
 * Makes a pressed link with `data-directions`, the destination, open navigation. The server does not know the phone
 * when it renders the link, so the link's `href` is the map.
 */
export function openDirections({ target }: MouseEvent): void {
  const link =
    target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-directions]') : null
  if (!link) return
  const { directions = '', map = link.href } = link.dataset
  link.dataset['map'] = map
  link.href = directionsUrl(directions, map, navigator.userAgent)
}
