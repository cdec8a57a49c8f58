import { useState } from 'react'
import type { TabletMember } from '#contracts/tablets.ts'
import { initialsOf } from '#web/dashboard/kit/staff/account-text.ts'

type Props = { members: readonly TabletMember[]; onChoose: (member: TabletMember) => void }

/** Shows a large button for each team member. The button of a team member without a PIN explains how to set one. */
export function MemberChoice({ members, onChoose }: Props) {
  const [withoutPin, setWithoutPin] = useState<TabletMember>()
  if (withoutPin) {
    return (
      <div className="tablet-state">
        <h1>{withoutPin.name} has no PIN.</h1>
        <p>Set a PIN on your phone: Profile, Tablet PIN.</p>
        <button type="button" onClick={() => setWithoutPin(undefined)}>
          Back
        </button>
      </div>
    )
  }
  return (
    <>
      <h1>Who is working?</h1>
      <div className="tablet-members">
        {members.map((member) => (
          <button
            key={member.id}
            type="button"
            onClick={() => (member.hasPin ? onChoose(member) : setWithoutPin(member))}
          >
            <i aria-hidden="true">{initialsOf(member.name)}</i>
            <span>
              <b>{member.name}</b>
              <small>{jobsText(member.jobs)}</small>
            </span>
          </button>
        ))}
      </div>
    </>
  )
}

const jobsText = (jobs: number): string =>
  `${jobs === 0 ? 'no' : jobs} ${jobs === 1 ? 'job' : 'jobs'} today`
