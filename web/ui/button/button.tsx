import type { ComponentProps, ReactNode } from 'react'

/**
 * `primary`: orange, for the one recommended next step. `secondary`: outlined, for an alternative. `quiet`: for Cancel
 * and Back. `danger`: for deleting or cancelling something. `strong`: black, for the likely next step among several
 * compact buttons in a row.
 */
export type ButtonLevel = 'primary' | 'secondary' | 'quiet' | 'danger' | 'strong'

type Look = {
  /** Makes the button lower and narrower, for the dashboard. */
  compact?: boolean | undefined
  /** Makes a compact button 30 px high with small text, for a card or a line of text. */
  small?: boolean | undefined
  /** Makes the button square, for an icon without a text. */
  square?: boolean | undefined
  /** The button uses the whole width of its row. */
  wide?: boolean | undefined
  /** Makes the button 60 px high, for the final submit of a form. A compact button with this property is 46 px high. */
  large?: boolean | undefined
  className?: string | undefined
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    level?: ButtonLevel | undefined
    /** While set, the button is disabled and shows this text ('Submitting...'); its width does not change. */
    busy?: string | false | undefined
  }

/**
 * The classes of a button, for a link that looks like a button and for pages that the server renders. Components that
 * every public page loads write the class names as text instead, so that only pages with a form load this module.
 */
export function buttonClass(level: ButtonLevel, look: Look = {}): string {
  const { compact, className, ...sizes } = look
  const root = compact ? 'compact-button' : 'button'
  const modifiers = Object.entries({ [level]: true, ...sizes }).map(
    ([name, isSet]) => isSet && `${root}-${name}`,
  )
  return [root, ...modifiers, className].filter(Boolean).join(' ')
}

/**
 * The normal and the busy text of a button. Both are in one grid cell, so that the width does not change when the
 * button becomes busy.
 */
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

/** The button component; `type` defaults to 'button'. For a link with the same look, use `buttonClass`. */
export function Button({
  level = 'secondary',
  compact,
  small,
  square,
  wide,
  large,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(level, { compact, small, square, wide, large, className })}
      disabled={rest.disabled || Boolean(busy)}
    >
      {busy === undefined ? children : <BusyLabel busy={busy}>{children}</BusyLabel>}
    </button>
  )
}
