import { Icon } from '#web/ui/icon/icon.tsx'
import type { View } from './use-appointments-view.ts'

const views = [
  { view: 'day', label: 'Day', icon: 'clock' },
  { view: 'calendar', label: 'Calendar', icon: 'calendar' },
  { view: 'list', label: 'List', icon: 'list' },
] as const

/** Buttons that switch between the views Day, Calendar and List. */
export function ViewSwitch({ shown, onShow }: { shown: View; onShow: (view: View) => void }) {
  return (
    <div className="toggle-buttons" role="group" aria-label="View">
      {views.map(({ view, label, icon }) => (
        <button key={view} type="button" aria-pressed={view === shown} onClick={() => onShow(view)}>
          <Icon name={icon} />
          {label}
        </button>
      ))}
    </div>
  )
}
