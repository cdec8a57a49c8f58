import { useEffect } from 'react'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { Button } from '#web/ui/button/button.tsx'
import './search-button.css'

const SearchPanel = lazyComponent(
  async () => (await import('./search-panel.tsx')).SearchPanel,
  null,
)

/** The button that opens the search from any page of the dashboard. The / key does the same. */
export function SearchButton() {
  const panel = usePanel()
  const open = () => panel.open({ panel: 'search' })
  useShortcut('/', open)
  // Preload the code of the panel, so that the search field receives the letters that the user types right after the /
  // key.
  useEffect(() => SearchPanel.preload(), [])
  return (
    <Button compact level="quiet" className="search-button" aria-keyshortcuts="/" onClick={open}>
      <Icon name="search" />
      <span>Search</span>
      <kbd aria-hidden="true">/</kbd>
    </Button>
  )
}

/** Renders the search panel while it is open. */
export function OpenSearch() {
  const panel = usePanel()
  return panel.shown.panel === 'search' ? (
    <SearchPanel onClose={() => panel.close('panel')} />
  ) : null
}
