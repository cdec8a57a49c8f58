import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'
import { DegreeWheel } from '#web/ui/art/drawings.tsx'
import { BrandName } from '#web/ui/brand/brand.tsx'
import './tablet.css'

type Props = { name: string; isDark?: boolean; foot?: ReactNode; children: ReactNode }

/** The frame of the shared tablet: the names of the shop and of the tablet at the top, a line of text at the bottom. */
export function TabletFrame({ name, isDark = false, foot, children }: Props) {
  return (
    <div className={isDark ? 'tablet tablet-dark' : 'tablet'}>
      <header>
        <span className="brand">
          <BrandName />
        </span>
        <span className="tablet-name">{name}</span>
        <ShopClock />
      </header>
      <div className="tablet-wheel">
        <DegreeWheel />
      </div>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer>{foot}</footer>
    </div>
  )
}

/**
 * The frame while no team member is signed in on the tablet. The last line of the frame explains to employees who are
 * not listed how they can use the tablet.
 */
export function ClosedFrame({ name, children }: Pick<Props, 'name' | 'children'>) {
  const [isHelping, setHelping] = useState(false)
  return (
    <TabletFrame
      name={name}
      foot={
        <>
          <span>Locks 2 minutes after the last touch. Technician rights only.</span>
          {!isHelping && (
            <button type="button" onClick={() => setHelping(true)}>
              Not on the list?
            </button>
          )}
        </>
      }
    >
      {isHelping ? (
        <div className="tablet-state">
          <h1>Not on the list?</h1>
          <p>An owner invites you in Settings, Team. Then set your PIN in your profile.</p>
          <button type="button" onClick={() => setHelping(false)}>
            Back
          </button>
        </div>
      ) : (
        children
      )}
    </TabletFrame>
  )
}

const recheckMs = 1_000

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, recheckMs)
  return () => clearInterval(timer)
}

/** The current time at the shop, in hours and minutes. */
function ShopClock() {
  return <b>{useSyncExternalStore(everySecond, () => formatTime(shopClock(new Date()).time))}</b>
}
