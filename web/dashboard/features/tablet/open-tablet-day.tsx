import type { ReactNode } from 'react'
import { TabletFrame } from './tablet-frame.tsx'
import { useIdleLock } from './use-idle-lock.ts'

type Props = { name: string; memberName: string; onLock: () => void; children: ReactNode }

/** The technician's day on the shared tablet, shown until the tablet locks. */
export function OpenTabletDay({ name, memberName, onLock, children }: Props) {
  const secondsLeft = useIdleLock(onLock)
  return (
    <TabletFrame
      name={name}
      foot={
        <>
          <span>{memberName}</span>
          <button type="button" onClick={onLock}>
            Lock
          </button>
        </>
      }
    >
      <div className="tablet-day">{children}</div>
      {secondsLeft !== undefined && (
        <div className="tablet-warning" role="alert">
          <b>Locks in {secondsLeft} seconds</b>
          <span>Touch the screen to stay signed in.</span>
          <button type="button">Stay</button>
        </div>
      )}
    </TabletFrame>
  )
}
