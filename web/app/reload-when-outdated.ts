const marker = 'reloaded-for-missing-file'

/**
 * A tab that outlived a release asks for files that are gone. Loading the address again brings the new
 * release; the marker keeps a server that really lacks the file from causing a loop.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    const lastReload = Number(sessionStorage.getItem(marker) ?? 0)
    if (Date.now() - lastReload < 60_000) return
    event.preventDefault()
    sessionStorage.setItem(marker, String(Date.now()))
    location.reload()
  })
}
