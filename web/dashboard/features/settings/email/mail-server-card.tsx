import { useRef, useState } from 'react'
import type { EmailSetup, MailServerInput } from '#contracts/setup.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { type Form, useForm } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Input, Select } from '#web/ui/field/field.tsx'
import { SecretCard } from '../kit/secret-card.tsx'
import { RejectedNotice } from './rejected-notice.tsx'
import { useMailServerChange } from './use-mail-server-change.ts'

/** The card in which an owner enters the mail server that sends the shop's emails. */
export function MailServerCard({ setup }: { setup: EmailSetup }) {
  const { mailServer, isSetByEnvironment } = setup
  return (
    <SecretCard
      title="Mail server"
      what="The mail server"
      setting={mailServer}
      isSetByEnvironment={isSetByEnvironment}
    >
      <MailServerForm mailServer={mailServer} />
    </SecretCard>
  )
}

type Values = {
  host: string
  port: string
  security: MailServerInput['security']
  username: string
  password: string
  from: string
}

const limits = { host: 253, port: 5, username: 200, password: 500, from: 254 }

function toValues(mailServer: EmailSetup['mailServer']): Values {
  const fields = mailServer?.fields
  if (!fields)
    return { host: '', port: '587', security: 'starttls', username: '', password: '', from: '' }
  return { ...fields, port: String(fields.port), password: '' }
}

function toInput({ port, password, ...values }: Values): MailServerInput {
  const isKept = password === '' && values.username !== ''
  const host = values.host.trim()
  return {
    ...values,
    host,
    from: values.from.trim(),
    port: Number(port),
    password: isKept ? null : password,
  }
}

function MailServerForm({ mailServer }: Pick<EmailSetup, 'mailServer'>) {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState(() => toValues(mailServer))
  const form = useForm({ element, values, onChange, limits })
  const { save, remove, confirmation } = useMailServerChange(() => form.change({ password: '' }))
  const [isRemoving, setRemoving] = useState(false)
  const isBusy = save.isPending || remove.isPending
  function submit() {
    if (isBusy) return
    if (values.host.trim() === '') return form.refuse(hostMissing)
    form.accept()
    save.mutate(toInput(values))
  }
  return (
    <>
      <form
        ref={element}
        className="secret-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <MailServerFields form={form} hasPassword={Boolean(mailServer?.fields?.username)} />
        <p className="hint">
          A test message is sent to your own email address first. Nothing is saved if the mail
          server does not accept it.
        </p>
        <div className="button-group">
          <Button type="submit" compact level="primary" busy={save.isPending && 'Testing…'}>
            Test and save
          </Button>
          {mailServer && (
            <Button compact level="danger" disabled={isBusy} onClick={() => setRemoving(true)}>
              Remove…
            </Button>
          )}
        </div>
        {save.data?.outcome === 'failed' && <RejectedNotice {...save.data} />}
      </form>
      {isRemoving && (
        <ConfirmDialog
          open
          title="Remove the mail server?"
          confirmLabel="Remove"
          cancelLabel="Keep"
          onClose={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false)
            remove.mutate()
          }}
        >
          <p>
            Emails are no longer sent: confirmations, replies, receipts and alerts are kept in the
            outbox. The password of the mail server is deleted.
          </p>
        </ConfirmDialog>
      )}
      {/* The step-up dialog is outside the form, which would otherwise receive the submit event of this dialog. */}
      {confirmation && <StepUpDialog {...confirmation} />}
    </>
  )
}

function MailServerFields({ form, hasPassword }: { form: Form<Values>; hasPassword: boolean }) {
  return (
    <div className="settings-columns">
      <Input {...form.field('host')} label="Host" required placeholder="mail.shop.example" />
      <Input {...form.field('port')} label="Port" inputMode="numeric" required />
      <Select {...form.choice('security')} label="Encryption">
        <option value="starttls">STARTTLS (587)</option>
        <option value="tls">TLS (465)</option>
      </Select>
      <Input {...form.field('username')} label="User name" autoComplete="off" />
      <Input
        {...form.field('password')}
        type="password"
        label="Mail password"
        autoComplete="new-password"
        hint={hasPassword ? 'Leave empty to keep the stored password.' : undefined}
      />
      <Input {...form.field('from')} type="email" label="Sender" hint={senderHint} />
    </div>
  )
}

const hostMissing = {
  title: 'Not saved',
  message: 'Enter the host of the mail server.',
  fields: ['host'],
} as const

const senderHint = 'Empty: the address for bookings.'
