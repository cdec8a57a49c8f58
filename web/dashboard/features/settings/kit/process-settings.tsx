import type { ProcessSetting } from '#contracts/setup.ts'
import './setup.css'

/** Lists environment variables of the server. Values that are secret are not shown. */
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

/**
 * Explains where the owner sets environment variables. The dashboard cannot change them, because it must not show or
 * store passwords.
 */
export function WhereToSet() {
  return (
    <p className="hint">
      Set these variables where the site runs, in the file <code>.env</code>. The site reads them at
      its start.
    </p>
  )
}
