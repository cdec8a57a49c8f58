import type { ProcessSetting } from '#contracts/setup.ts'
import './setup.css'

/** What the process was started with: the variables by name, and of their values what is no secret. */
export function ProcessSettings({ settings }: { settings: readonly ProcessSetting[] }) {
  return (
    <dl className="process-settings">
      {settings.map(({ name, isSet, shows }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd className={isSet ? undefined : 'muted'}>
            {isSet ? (shows ?? 'set, and kept secret') : 'not set'}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Where those are changed: not here, because passwords belong to whoever runs the server. */
export function WhereToSet() {
  return (
    <p className="hint">
      Set these where the site runs, in the file <code>.env</code>, and read at its start.
    </p>
  )
}
