import type { ButtonHTMLAttributes, ReactNode } from 'react'

/** `1` orange: the one next step. `2` outline: a real alternative. `3` underlined: Cancel, Back. */
type ButtonLevel = 1 | 2 | 3 | 'danger'

const levels = {
  1: 'button-primary',
  2: 'button-secondary',
  3: 'button-quiet',
  danger: 'button-danger',
} as const satisfies Record<ButtonLevel, string>

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  level?: ButtonLevel
  /** Takes the whole row. */
  wide?: boolean
  /** 60 px: the final submit of a form. */
  large?: boolean
  /** While set the button is disabled and shows these words ('Submitting...'); its width does not change. */
  busy?: string | false
}

/** The words of a button, and those while it is busy: both lie in one cell, so its width does not change. */
export function BusyLabel({
  busy,
  children,
}: {
  busy: string | false | undefined
  children: ReactNode
}) {
  return (
    <span className="button-text">
      <span
        className={busy ? 'button-text-hidden' : undefined}
        aria-hidden={busy ? true : undefined}
      >
        {children}
      </span>
      {busy ? <span>{busy}</span> : null}
    </span>
  )
}

/** The public site's button. `type` is 'button' unless told otherwise. The dashboard uses the class `action`. */
export function Button({
  level = 2,
  wide,
  large,
  busy,
  children,
  className,
  ...rest
}: ButtonProps) {
  const classes = [
    'button',
    levels[level],
    wide && 'button-wide',
    large && 'button-large',
    className,
  ]
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      disabled={rest.disabled || Boolean(busy)}
    >
      <BusyLabel busy={busy}>{children}</BusyLabel>
    </button>
  )
}
