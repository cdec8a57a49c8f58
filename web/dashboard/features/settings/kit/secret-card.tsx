import { type ReactNode, useId } from 'react'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { Notice } from '#web/ui/notice/notice.tsx'

type Props = {
  readonly title: string
  /** The setting without its secrets; `fields` is null when the key of another machine sealed it. */
  readonly setting: {
    readonly fields: object | null
    readonly changedAt: string
    readonly changedByName: string
  } | null
  /** What cannot be read, as the beginning of a sentence: 'The mail server'. */
  readonly what: string
  readonly isSetByEnvironment: boolean
  /** The form, which is not shown while the environment sets the setting. */
  readonly children: ReactNode
}

/** The card of a setting with secrets: who entered it, and its form. The environment takes precedence. */
export function SecretCard({ title, setting, what, isSetByEnvironment, children }: Props) {
  const titleId = useId()
  return (
    <section className="card settings-card" aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      {isSetByEnvironment && <p>Set by the environment. It cannot be changed here.</p>}
      {setting?.fields === null && (
        <Notice tone="bad" title={`${what} cannot be read on this machine.`}>
          It was encrypted with the key of another machine. Enter it again.
        </Notice>
      )}
      {setting && (
        <p className="hint">
          Entered by {setting.changedByName}, {formatStamp(setting.changedAt)}.
        </p>
      )}
      {!isSetByEnvironment && children}
    </section>
  )
}
