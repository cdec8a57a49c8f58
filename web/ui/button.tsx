import type { ButtonHTMLAttributes } from 'react'

/** `1` orange: the one next step. `2` outline: a real alternative. `3` underlined: Cancel, Back. */
type ButtonLevel = 1 | 2 | 3 | 'danger'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  level?: ButtonLevel
  /** Takes the whole row. */
  wide?: boolean
  /** 60 px: the final submit of a form. */
  large?: boolean
  /** While set the button is disabled and shows these words ('Submitting...'); its width does not change. */
  busy?: string | false
}

/** The public site's button. `type` is 'button' unless told otherwise. The dashboard uses the class `ab`. */
export function Button({
  level = 2,
  wide,
  large,
  busy,
  children,
  className,
  ...rest
}: ButtonProps) {
  const classes = ['btn', `btn-${level}`, wide && 'wide', large && 'large', className]
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      disabled={rest.disabled || Boolean(busy)}
    >
      <span className="swap">
        <span className={busy ? 'ghost' : undefined} aria-hidden={busy ? true : undefined}>
          {children}
        </span>
        {busy ? <span>{busy}</span> : null}
      </span>
    </button>
  )
}
