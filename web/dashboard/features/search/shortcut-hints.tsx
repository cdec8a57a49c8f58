import { useShortcuts } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { Hit } from './hits.ts'

/**
 * Lists the keys that work in the search, and shows a button that books an appointment for the highlighted customer, as
 * the B key does.
 */
export function ShortcutHints({ active, onBook }: { active: Hit | undefined; onBook: () => void }) {
  const [areOn] = useShortcuts()
  return (
    <div className="search-keys">
      <span>
        <kbd>Up</kbd>
        <kbd>Down</kbd> choose
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      <Button compact small level="quiet" disabled={!active?.customer} onClick={onBook}>
        {areOn && <kbd>B</kbd>} book for this customer
      </Button>
    </div>
  )
}
