import { useShortcuts } from '#web/dashboard/kit/navigation/shortcuts.ts'

/** The keys of the day, and the switch of those that are a letter (WCAG 2.1.4). Each has its button in sight too. */
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
