const marker = 'reloaded-for-missing-file'

/**
 * Reloads a page that is older than the last release, when it requests a file that the release removed. A marker
 * prevents a loop when the file is really missing from the server. Without a connection the page does not reload,
 * because the browser would show its own error page.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) return
    const lastReload = Number(sessionStorage.getItem(marker) ?? 0)
    if (Date.now() - lastReload < 60_000) return
    event.preventDefault()
    sessionStorage.setItem(marker, String(Date.now()))
    location.reload()
  })
}
