import type { ReactNode } from 'react'
import { buttonClass } from '#web/ui/button/button.tsx'
import { useShop } from '#web/lib/shop.ts'

/*
 * A submitted form returns to a URL that ends with '#result', and one element of the returned page has this id. The
 * browser scrolls to this element and focuses it, even without JavaScript and after a redirect (RFC 9110, 10.2.2). A
 * page with an error beside a field has no such element; the browser focuses the field instead.
 */

/**
 * The attributes of the element that states the result of a submitted form. The browser scrolls to this element and
 * focuses it.
 */
export const resultAttributes = { id: 'result', tabIndex: -1 } as const

/** The URL to which the browser submits a form. */
export const postTo = (path: string): string => `${path}#result`

/**
 * The heading of a page. If no other element states the result of a submitted form, the heading states the result
 * (`isResult`).
 */
export function PageHeading({
  isResult = true,
  children,
}: {
  isResult?: boolean
  children: string
}) {
  return <h1 {...(isResult ? resultAttributes : { tabIndex: -1 })}>{children}</h1>
}

/** A box with the result of a submitted form. Screen readers announce the result. */
export function NoticeBox({ children }: { children: string | undefined }) {
  if (children === undefined) return null
  return (
    <p className="visit-message" {...resultAttributes} role="status">
      {children}
    </p>
  )
}

/** Returns the attributes that mark an input as invalid, and the error message below the input; {} without an error. */
export function refusedField(id: string, error: string | undefined) {
  if (error === undefined) return {}
  const describes = `${id}-error`
  return {
    attributes: { 'aria-invalid': true, 'aria-describedby': describes, autoFocus: true },
    message: (
      <p className="field-error" id={describes} role="alert">
        {error}
      </p>
    ),
  }
}

/** A page that contains only one text, such as a question or an error message. */
export function ShortPage({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="visit">
      <section className="visit-sky visit-alone">
        <div className="page-width visit-text">{children}</div>
      </section>
    </main>
  )
}

export function PhoneLink() {
  const { phone } = useShop()
  return <a href={phone.href}>{phone.display}</a>
}

type ActionButtonProps = {
  /** The path of the action. */
  action: string
  fields?: Readonly<Record<string, string | number>>
  /** The label of the button while the browser sends the form. */
  busy: string
  variant: 'primary' | 'secondary' | 'quiet' | 'danger'
  children: ReactNode
}

/** A form with one button and otherwise only hidden fields. The button sends the form with a POST request. */
export function ActionButton({ action, fields, busy, variant, children }: ActionButtonProps) {
  return (
    <form method="post" action={postTo(action)}>
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button className={buttonClass(variant)} type="submit" data-busy={busy}>
        {children}
      </button>
    </form>
  )
}
