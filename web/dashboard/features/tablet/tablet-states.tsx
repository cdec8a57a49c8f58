import type { ReactNode } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { dashboardPath } from '#contracts/dashboard-paths.ts'
import { TabletFrame } from './tablet-frame.tsx'

/**
 * The screen after too many wrong PINs. Nobody can open the tablet until an advisor or owner signs in with the form in
 * `children`.
 */
export function LockedByPins({ name, children }: { name: string; children: ReactNode }) {
  return (
    <TabletFrame name={name}>
      <div className="tablet-state">
        <h1>Too many wrong PINs</h1>
        <p>An advisor or owner can unlock this tablet by signing in here.</p>
        {children}
      </div>
    </TabletFrame>
  )
}

export function NotATablet({ isRevoked }: { isRevoked: boolean }) {
  return (
    <TabletFrame name="">
      <div className="tablet-state">
        <h1>{isRevoked ? 'This tablet was revoked.' : 'This is not a shared tablet.'}</h1>
        <p>
          An owner can enroll this tablet in Settings, Team. The tablet stores no data of the shop.
        </p>
        <a href={`${dashboardPath}/settings/team`}>Sign in as an owner</a>
      </div>
    </TabletFrame>
  )
}

export function NoConnection({ name, onRetry }: { name: string; onRetry: () => void }) {
  return (
    <TabletFrame name={name}>
      <div className="tablet-state">
        <h1>No connection to the shop’s server, which checks names and PINs.</h1>
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      </div>
    </TabletFrame>
  )
}

type LockedProps = { name: string; memberName: string; onAgain: () => void; onOther: () => void }

/** The screen after the tablet locked itself, because nobody touched it for two minutes. */
export function Locked({ name, memberName, onAgain, onOther }: LockedProps) {
  return (
    <TabletFrame name={name} isDark>
      <div className="tablet-locked">
        <Icon name="lock" />
        <h1>Locked</h1>
        <p>{memberName} was here.</p>
        <button type="button" className="tablet-again" onClick={onAgain}>
          {memberName}, open again
        </button>
        <button type="button" onClick={onOther}>
          Somebody else
        </button>
      </div>
    </TabletFrame>
  )
}
