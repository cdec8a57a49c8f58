import { useShortcuts } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { Button } from '#web/ui/button/button.tsx'

/**
 * Lists the keyboard shortcuts of the day view and offers a switch for the single-letter shortcuts (WCAG 2.1.4). Each
 * shortcut also has a visible button.
 */
export function DayShortcuts() {
  const [areOn, change] = useShortcuts()
  return (
    <p className="day-keys">
      <span>
        <kbd>←</kbd>
        <kbd>→</kbd> day
      </span>
      {areOn && (
        <>
          <span>
            <kbd>T</kbd> today
          </span>
          <span>
            <kbd>M</kbd> move
          </span>
          <span>
            <kbd>E</kbd> edit
          </span>
        </>
      )}
      <Button compact level="quiet" onClick={() => change(!areOn)}>
        {areOn ? 'Turn keyboard shortcuts off' : 'Turn keyboard shortcuts on'}
      </Button>
    </p>
  )
}
