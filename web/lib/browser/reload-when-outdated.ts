const marker = 'reloaded-for-missing-file'

/**
 * Reloads the page when it fails to load a code file, usually because a newer release has replaced the files of the
 * site. The page reloads at most once a minute, so that it does not reload endlessly if the server really lacks the
 * file. Without a connection the page does not reload, because the browser would show its own error page.
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
