import type { ReactNode } from 'react'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { roleNames } from '#contracts/staff-accounts.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { AccountCard } from './account-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { PinCard } from './pin-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { useProfile } from './use-profile.ts'
import './profile.css'

/**
 * The staff account of the signed-in person: name, email address, password, and the browsers in which the account is
 * signed in (docs/product.md 6.10).
 */
export function ProfilePage({
  signInMethods,
  secondStep,
}: {
  signInMethods: ReactNode
  secondStep: ReactNode
}) {
  const { data: profile, isError, refetch } = useProfile()
  if (!profile) {
    return isError ? (
      <LoadFailure title="Your profile could not be loaded." onRetry={() => void refetch()} />
    ) : (
      <Skeleton />
    )
  }
  return (
    <article>
      <header className="profile-head">
        <h2 tabIndex={-1}>
          {profile.name} <Badge>{roleNames[profile.role]}</Badge>
        </h2>
        <p>
          <span>
            Username <b>{profile.username}</b>
          </span>
          {profile.email !== null && <span>{profile.email}</span>}
          <span className="muted">since {formatInstantDate(profile.since)}</span>
        </p>
      </header>
      <div className="profile-columns">
        <div>
          {signInMethods}
          <SessionsCard sessions={profile.sessions} />
        </div>
        <div>
          <AccountCard profile={profile} />
          <PasswordCard />
          {secondStep}
          <PinCard profile={profile} />
        </div>
      </div>
    </article>
  )
}
