import { type Profile, profileEndpoints, type SignedInBrowser } from '#contracts/profile.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { sessionText } from './session-text.ts'
import { useProfileChange } from './use-profile.ts'

/**
 * Lists the browsers in which the staff account is signed in. The user can sign out every browser except the current
 * one.
 */
export function SessionsCard({ sessions }: { sessions: Profile['sessions'] }) {
  const ending = useProfileChange(
    (id: string) => callAsAdmin(profileEndpoints.endSession, { id }),
    () => toast({ title: 'Signed out', description: 'The device has to sign in again.' }),
  )
  const endingOthers = useProfileChange<void>(
    () => callAsAdmin(profileEndpoints.endOtherSessions),
    () => toast({ title: 'Signed out', description: 'Every other device has to sign in again.' }),
  )
  const isBusy = ending.isBusy || endingOthers.isBusy
  const problem = ending.problem ?? endingOthers.problem
  return (
    <section className="card profile-card" aria-labelledby="profile-sessions">
      <header>
        <div>
          <h3 id="profile-sessions" tabIndex={-1}>
            Signed in on
          </h3>
          <p>A session ends after 12 hours without use, at the latest after 30 days.</p>
        </div>
        {sessions.length > 1 && (
          <Button compact disabled={isBusy} onClick={() => endingOthers.run()}>
            Sign out everywhere else
          </Button>
        )}
      </header>
      {problem && <p role="alert">{problem}</p>}
      <ul>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isBusy={isBusy}
            onEnd={() => ending.run(session.id)}
          />
        ))}
      </ul>
    </section>
  )
}

/* The icons of a laptop and a phone are not part of `Icon`, because only this page shows them. */
const laptop = 'M5 5h14v10.5H5zM2.5 19h19'
const phone = 'M7 2.5h10v19H7zM10.5 18.5h3'

type RowProps = { session: SignedInBrowser; isBusy: boolean; onEnd: () => void }

function SessionRow({ session, isBusy, onEnd }: RowProps) {
  return (
    <li>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={/iPhone|Android/.test(session.device) ? phone : laptop} />
      </svg>
      <div>
        <b>{session.device}</b>
        <small>{sessionText(session)}</small>
      </div>
      {session.isCurrent ? (
        <Badge tone="ok">this one</Badge>
      ) : (
        <Button
          compact
          disabled={isBusy}
          aria-label={`Sign out ${session.device}`}
          onClick={(event) => {
            // Signing out a browser removes its row with the pressed button, so the heading gets the focus.
            event.currentTarget.closest('section')?.querySelector('h3')?.focus()
            onEnd()
          }}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
