import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { setupEndpoints, type TestEmailResult } from '#contracts/setup.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { RejectedNotice } from './rejected-notice.tsx'

/** Sends a test email and shows the result, including the mail server's own response. */
export function TestMessage({ owner }: { owner: string }) {
  const title = useId()
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ to: owner })
  const form = useForm({ element, values, onChange, limits: { to: 254 } })
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: async () => orThrow(await callAsAdmin(setupEndpoints.sendTest, values)),
    onSettled: () =>
      Promise.all([refetchQueries(queries, 'operations'), refetchQueries(queries, 'outbox')]),
  })
  function send() {
    if (test.isPending) return
    if (!values.to.includes('@')) return form.refuse(addressMissing)
    form.accept()
    test.mutate()
  }
  return (
    <section className="card settings-card" aria-labelledby={title}>
      <h3 id={title}>Test message</h3>
      <form
        ref={element}
        className="test-message"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Input {...form.field('to')} type="email" label="To" autoComplete="email" />
        <Button type="submit" compact busy={test.isPending && 'Sending…'}>
          Send a test message
        </Button>
      </form>
      <div role="status">
        {test.data && test.data.outcome !== 'failed' && <SentNotice {...test.data} />}
      </div>
      {test.data?.outcome === 'failed' && <RejectedNotice {...test.data} />}
      {test.isError && (
        <Notice tone="bad" title="Could not send the test message.">
          {test.error.message}
        </Notice>
      )}
    </section>
  )
}

const addressMissing = {
  title: 'Not sent',
  message: 'Enter one email address.',
  fields: ['to'],
} as const

const sentTitles = {
  sent: 'The mail server accepted the message. If it does not arrive within minutes, check the spam folder.',
  in_outbox: 'The message is kept in the outbox because no mail server is set.',
  waiting: 'The mail server has not answered yet. The list of all emails shows the result.',
} as const

function SentNotice({ outcome }: TestEmailResult) {
  return outcome === 'failed' ? null : <Notice tone="good" title={sentTitles[outcome]} />
}
