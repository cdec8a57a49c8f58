import { type ReactNode, useId } from 'react'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { Notice } from '#web/ui/notice/notice.tsx'

type Props = {
  readonly title: string
  /**
   * The setting without its secret values. `fields` is null when this server cannot decrypt the setting, because
   * another machine's key encrypted it.
   */
  readonly setting: {
    readonly fields: object | null
    readonly changedAt: string
    readonly changedByName: string
  } | null
  /** The name of the setting, as the beginning of a sentence: 'The mail server'. */
  readonly what: string
  readonly isSetByEnvironment: boolean
  /** The form; hidden while an environment variable defines the setting. */
  readonly children: ReactNode
}

/**
 * Shows a setting with secrets: the person who entered the setting, and its form. An environment variable takes
 * precedence over the entered setting.
 */
export function SecretCard({ title, setting, what, isSetByEnvironment, children }: Props) {
  const titleId = useId()
  return (
    <section className="card settings-card" aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      {isSetByEnvironment && (
        <p>Set by the environment. To change this secret, change the environment variable.</p>
      )}
      {setting?.fields === null && (
        <Notice tone="bad" title={`${what} cannot be read on this machine.`}>
          This secret was encrypted with the key of another machine. Enter it again.
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
