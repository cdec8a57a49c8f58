import type { ReactNode } from 'react'
import { dashboardPath } from '#contracts/dashboard-paths.ts'
import type { JoinedPage, JoinPage } from '#contracts/api/customer-pages.ts'
import { roleNames } from '#contracts/staff-accounts.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { buttonClass } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import type { PageContent } from './page-content.ts'
import { PageHeading, postTo, refusedField } from './page-parts.tsx'

/** The page of an invitation, on which the invited team member creates a passkey or chooses a password. */
export function joinPage(
  shop: ShopFacts,
  { invitation, path, device, problem }: JoinPage,
): PageContent {
  const { name, role, username, inviterName, expiresAt } = invitation
  const heading = `Welcome, ${firstName(name)}.`
  const error = problem === undefined ? undefined : sentenceOf(problem)
  const { date, time } = shopClock(new Date(expiresAt))
  const main = (
    <main id="main" tabIndex={-1} className="visit">
      <section className="visit-sky">
        <div className="page-width visit-text">
          <p className="visit-whose">{shop.name}, staff</p>
          <PageHeading isResult={error === undefined}>{heading}</PageHeading>
          <p className="visit-lead">
            {inviterName} invites you as {roleNames[role]}. One step and you are in.
          </p>
          {device === undefined ? (
            <PasswordForm path={path} username={username} error={error} level="primary" />
          ) : (
            <>
              <PasskeyForm device={device} />
              <details className="visit-find" open={error !== undefined}>
                <summary>Use a password instead</summary>
                <PasswordForm path={path} username={username} error={error} level="secondary" />
              </details>
            </>
          )}
        </div>
      </section>
      <section className="page-width visit-body">
        <div className="visit-note">
          <p className="visit-privately">
            <Icon name="user" />
            <span>
              Your username is <b>{username}</b>. The link works once, until {formatLongDate(date)},{' '}
              {formatTime(time)}.
            </span>
          </p>
          <p className="visit-privately">
            <Icon name="eye" />
            <span>Your approvals, payments and notes are recorded with your name.</span>
          </p>
        </div>
      </section>
      {device !== undefined && (
        <template data-joined="">{joinedWithPasskey({ fullName: name, username })}</template>
      )}
    </main>
  )
  return { title: error ?? heading, main, frame: 'join' }
}

/**
 * This form is hidden until the script of the page shows it, because only a script can ask the device for a passkey.
 * The script also submits the form.
 */
function PasskeyForm({ device }: { device: string }) {
  return (
    <form className="visit-find" data-passkey="" noValidate hidden>
      <h2>Create a passkey</h2>
      <p>
        A passkey uses your fingerprint, your face or the PIN of this device. You need no password.
      </p>
      <label className="field-label" htmlFor="device">
        Name of this device
      </label>
      <input
        className="input"
        id="device"
        defaultValue={device}
        autoComplete="off"
        maxLength={60}
        required
      />
      <p className="field-error" role="alert" />
      <button className={buttonClass('primary')} type="submit">
        Create a passkey
      </button>
    </form>
  )
}

type FormProps = {
  path: string
  username: string
  error: string | undefined
  level: 'primary' | 'secondary'
}

/**
 * The username field is only for password managers. The field has no `name`, so the browser does not send the username.
 */
function PasswordForm({ path, username, error, level }: FormProps) {
  const field = refusedField('password', error)
  return (
    <form method="post" action={postTo(path)} className="visit-find" noValidate>
      <input type="text" autoComplete="username" defaultValue={username} hidden readOnly />
      <label className="field-label" htmlFor="password">
        New password
      </label>
      <input
        className="input"
        id="password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={200}
        required
        {...field.attributes}
      />
      {field.message}
      <p className="visit-hint">
        At least 12 characters, not a common password. You also set up an authenticator app.
      </p>
      <button className={buttonClass(level)} type="submit" data-busy="Signing in…">
        Continue
      </button>
    </form>
  )
}

export function joinedPage({ fullName, username }: JoinedPage): PageContent {
  const heading = joinedHeading(fullName)
  const main = (
    <main id="main" tabIndex={-1} className="visit">
      <Joined heading={heading} link="Set up an authenticator app">
        Sign in as <b>{username}</b> with your password. Next, you set up an authenticator app.
      </Joined>
    </main>
  )
  return { title: heading, main }
}

/** The content with which the script replaces the page after the server has saved the passkey. */
const joinedWithPasskey = ({ fullName, username }: Omit<JoinedPage, 'name'>) => (
  <Joined heading={joinedHeading(fullName)} link="Open the dashboard">
    Your passkey is saved. Your username is <b>{username}</b>. Next time, select “Use a passkey”.
  </Joined>
)

type JoinedProps = { heading: string; link: string; children: ReactNode }

function Joined({ heading, link, children }: JoinedProps) {
  return (
    <section className="visit-sky visit-alone">
      <div className="page-width visit-text">
        <PageHeading>{heading}</PageHeading>
        <p className="visit-lead">{children}</p>
        <div className="visit-actions">
          <div className="visit-buttons">
            <a className={buttonClass('primary')} href={dashboardPath}>
              {link}
            </a>
          </div>
        </div>
      </div>
    </section>
  )
}

const joinedHeading = (fullName: string): string => `You have joined, ${firstName(fullName)}.`

const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? name

function sentenceOf(problem: string): string {
  return problem.includes('most common')
    ? 'This password is on a list of common passwords. Choose a longer one.'
    : `The password ${problem}.`
}
