import { useEffect } from 'react'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import './search-button.css'

export const SearchPanel = lazyComponent(
  async () => (await import('./search-panel.tsx')).SearchPanel,
  null,
)

/** Searches everything from anywhere in the dashboard, by press or by the key. */
export function SearchButton({ onSearch }: { onSearch: () => void }) {
  useShortcut('/', onSearch)
  // What is typed right after the key must find the field.
  useEffect(() => SearchPanel.preload(), [])
  return (
    <button
      type="button"
      className="action action-quiet search-button"
      aria-keyshortcuts="/"
      onClick={onSearch}
    >
      <Icon name="search" />
      <span>Search</span>
      <kbd aria-hidden="true">/</kbd>
    </button>
  )
}
