import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { tabletEndpoints, type TabletMember, type TabletState } from '#contracts/tablets.ts'
import { LoginForm } from '#web/dashboard/features/session/login-form.tsx'
import { TechnicianDay } from '#web/dashboard/features/technician/technician-day.tsx'
import { readLogIn } from '#web/dashboard/features/session/session-api.ts'
import { completeLogIn, logOut } from '#web/dashboard/features/session/session-store.ts'
import { useSession } from '#web/dashboard/features/session/use-session.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { MemberChoice } from '#web/dashboard/features/tablet/member-choice.tsx'
import { OpenTabletDay } from '#web/dashboard/features/tablet/open-tablet-day.tsx'
import { PinPad } from '#web/dashboard/features/tablet/pin-pad.tsx'
import { ClosedFrame, TabletFrame } from '#web/dashboard/features/tablet/tablet-frame.tsx'
import {
  Locked,
  LockedByPins,
  NoConnection,
  NotATablet,
} from '#web/dashboard/features/tablet/tablet-states.tsx'
import { useTablet } from '#web/dashboard/features/tablet/use-tablet.ts'

/**
 * The key in local storage that is set when the tablet locks without a connection. In that case the sign-in session of
 * the last team member has not ended at the server.
 */
const lockedMark = 'tablet_locked'

/** The page of the shared tablet in a bay (docs/product.md 6.14). */
export function TabletPage() {
  const tablet = useTablet()
  const session = useSession()
  const [lockedName, setLockedName] = useState<string>()
  const lock = useLock(setLockedName)
  const { state = 'none', name = '', openedBy = null } = tablet.data ?? {}
  const isSignedIn = session.state === 'signed-in' && !session.hasEnded
  const mustSignOut =
    isSignedIn && (state === 'locked' || localStorage.getItem(lockedMark) !== null)
  useEffect(() => {
    // The sign-in session must end in two cases: an advisor or owner has signed in only to unlock the tablet, or the
    // page was reloaded after the tablet locked without a connection.
    if (mustSignOut) lock(undefined)
  }, [mustSignOut, lock])
  const isClosed = tablet.data?.openedBy === null
  useEffect(() => {
    if (isClosed) localStorage.removeItem(lockedMark)
  }, [isClosed])
  // If the connection is lost while the technician's day is open, the day stays open, so that typed input is not lost.
  // The tablet still locks after two minutes without a touch.
  if (isSignedIn && !mustSignOut && openedBy !== null) {
    return (
      <OpenTabletDay name={name} memberName={openedBy} onLock={() => lock(openedBy)}>
        <TechnicianDay />
      </OpenTabletDay>
    )
  }
  if (tablet.isError) return <NoConnection name={name} onRetry={() => void tablet.refetch()} />
  if (tablet.isPending) return <TabletFrame name="">{null}</TabletFrame>
  if (state === 'none' || state === 'revoked') return <NotATablet isRevoked={state === 'revoked'} />
  if (state === 'locked') {
    return (
      <LockedByPins name={name}>
        <LoginForm />
      </LockedByPins>
    )
  }
  return <ClosedTablet tablet={tablet.data} {...{ lockedName, setLockedName }} />
}

/**
 * Locks the tablet and signs the team member out. Without a connection, the tablet locks anyway; the server ends the
 * sign-in session later by itself.
 */
function useLock(onLocked: (memberName: string | undefined) => void) {
  const queries = useQueryClient()
  return useCallback(
    (memberName: string | undefined) => {
      onLocked(memberName)
      localStorage.setItem(lockedMark, 'yes')
      queries.removeQueries({ queryKey: ['technician'] })
      const readAgain = () => refetchQueries(queries, 'tablet')
      void logOut().then(readAgain, readAgain)
    },
    [onLocked, queries],
  )
}

type ClosedProps = {
  tablet: TabletState
  /**
   * The name of the team member who used the tablet before it locked; undefined after another team member was chosen.
   */
  lockedName: string | undefined
  setLockedName: (name: string | undefined) => void
}

/** The tablet while nobody is signed in: the choice of the team member, then the PIN pad. */
function ClosedTablet({ tablet: { name, members }, lockedName, setLockedName }: ClosedProps) {
  const [member, setMember] = useState<TabletMember>()
  const attempt = usePinAttempt()
  if (member) {
    return (
      <ClosedFrame name={name}>
        <PinPad
          member={member}
          isBusy={attempt.isBusy}
          problem={attempt.problem}
          onBack={() => {
            attempt.forget()
            setMember(undefined)
          }}
          onOpen={(pin) => void attempt.open(member.id, pin)}
        />
      </ClosedFrame>
    )
  }
  if (lockedName !== undefined) {
    return (
      <Locked
        name={name}
        memberName={lockedName}
        onAgain={() => {
          setLockedName(undefined)
          setMember(members.find((one) => one.name === lockedName))
        }}
        onOther={() => setLockedName(undefined)}
      />
    )
  }
  return (
    <ClosedFrame name={name}>
      <MemberChoice members={members} onChoose={setMember} />
    </ClosedFrame>
  )
}

function usePinAttempt() {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  return {
    isBusy,
    problem,
    forget: () => setProblem(undefined),
    async open(accountId: string, pin: string) {
      setBusy(true)
      const answer = await callApi(tabletEndpoints.open, { accountId, pin })
      if (answer.ok) localStorage.removeItem(lockedMark)
      const refusal = await completeLogIn(readLogIn(answer))
      setProblem(refusal?.message)
      setBusy(false)
      await refetchQueries(queries, 'tablet')
    },
  }
}
