import type { ButtonHTMLAttributes, ReactNode } from 'react'

/** `1` orange: the one next step. `2` outline: an alternative. `3` underlined: Cancel, Back. */
type ButtonLevel = 1 | 2 | 3 | 'danger'

const levels = {
  1: 'button-primary',
  2: 'button-secondary',
  3: 'button-quiet',
  danger: 'button-danger',
} as const satisfies Record<ButtonLevel, string>

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  level?: ButtonLevel
  /** Uses the whole width of its row. */
  wide?: boolean
  /** 60 px high: the final submit of a form. */
  large?: boolean
  /** While set, the button is disabled and shows this text ('Submitting...'); its width does not change. */
  busy?: string | false
}

/** The two texts of a button. Both lie in one grid cell, so that its width does not change when it becomes busy. */
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

/** The public site's button. `type` defaults to 'button'. The dashboard uses the class `action` instead. */
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
