import { useState, type RefObject } from 'react'
import { toast } from '#web/ui/toast/toast.ts'

/** The result of a failed validation: the message for the user, and the invalid fields. */
type Refusal<Field> = {
  readonly title: string
  readonly message: string
  readonly fields: readonly Field[]
}

type Named<Values> = keyof Values & string
type TextFields<Values> = {
  [Name in Named<Values>]: Values[Name] extends string ? Name : never
}[Named<Values>]
type Errors<Values> = { readonly [Name in Named<Values>]?: string }

type Use<Values> = {
  /**
   * The form element, or in a dialog the element around the fields. Required if the form can refuse input, because the
   * form then focuses the first invalid field.
   */
  element?: RefObject<HTMLElement | null>
  values: Values
  onChange: (change: (before: Values) => Values) => void
  /** The maximum length of each text, in characters. */
  limits?: Readonly<Partial<Record<Named<Values>, number>>>
}

/** The result of `useForm`, for components that render a part of the form. */
export type Form<Values extends object> = ReturnType<typeof useForm<Values>>

/**
 * Input and error handling of every form. The caller owns the values: a text input takes `field(name)`, a select takes
 * `choice(name)`, and other controls call `change`. A failed check shows its message in a toast and beside the invalid
 * fields, and focuses the first of these fields. Changing a field removes its error.
 *
 *   const [values, onChange] = useState(emptyQuoteForm)
 *   const form = useForm({ element, values, onChange, limits: quoteFieldLimits })
 *   <form ref={element} noValidate onSubmit={…}><Input {...form.field('email')} label="Email Address" />
 *   const checked = checkQuoteForm(values)
 *   if (!checked.ok) return form.refuse(checked.refusal)
 */
export function useForm<Values extends object>({ element, values, onChange, limits }: Use<Values>) {
  const [errors, setErrors] = useState<Errors<Values>>({})

  function change(changes: Partial<Values>) {
    onChange((before) => ({ ...before, ...changes }))
    const names = Object.keys(changes) as Named<Values>[]
    if (names.some((name) => errors[name])) setErrors((before) => without(before, names))
  }

  function complain(about: Errors<Values>) {
    setErrors(about)
    const [first] = Object.keys(about)
    if (first) element?.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  function refuse({ title, message, fields }: Refusal<Named<Values>>) {
    complain(Object.fromEntries(fields.map((name) => [name, message])) as Errors<Values>)
    toast({ title, description: message, variant: 'destructive' })
  }

  const choice = (name: TextFields<Values>) => ({
    name,
    value: values[name] as string,
    error: errors[name],
    onChange: (event: { target: { value: string } }) =>
      change({ [name]: event.target.value } as Partial<Values>),
  })
  const field = (name: TextFields<Values>) => ({ ...choice(name), maxLength: limits?.[name] })

  return { errors, choice, field, change, complain, refuse, accept: () => setErrors({}) }
}

function without<Values>(errors: Errors<Values>, names: Named<Values>[]): Errors<Values> {
  const left = { ...errors }
  for (const name of names) delete left[name]
  return left
}
