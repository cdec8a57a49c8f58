const marker = 'reloaded-for-missing-file'

/**
 * Reloads a page that was loaded before a release, when it requests a file that the release removed. A marker prevents
 * a loop when the file is really missing from the server. Without a connection the page is not reloaded: the browser
 * would show its own error page instead.
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
