const marker = 'reloaded-for-missing-file'

/**
 * A tab that outlived a release asks for files that are gone. Loading the address again brings the new
 * release; the marker keeps a server that really lacks the file from causing a loop. Offline the page stays
 * as it is: loading it again would leave nothing but the browser's own error.
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
