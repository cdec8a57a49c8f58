import { useShortcuts } from '#web/dashboard/kit/navigation/shortcuts.ts'

/**
 * Lists the keyboard shortcuts of the day view and offers a switch for the single-letter ones (WCAG 2.1.4).
 * Each shortcut also has a visible button.
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
        </>
      )}
      <button type="button" className="action action-quiet" onClick={() => change(!areOn)}>
        {areOn ? 'Turn keyboard shortcuts off' : 'Turn keyboard shortcuts on'}
      </button>
    </p>
  )
}
