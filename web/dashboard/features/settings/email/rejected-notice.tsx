import { Notice } from '#web/ui/notice/notice.tsx'

type Rejected = { readonly serverMessage: string | null; readonly meaning: string | null }

/** Shows the response of a mail server that did not accept a test message, and the meaning of the response. */
export function RejectedNotice({ serverMessage, meaning }: Rejected) {
  return (
    <Notice tone="bad" title="The mail server did not accept the message.">
      <p>{meaning}</p>
      <p>Mail server response:</p>
      <blockquote className="server-message">{serverMessage}</blockquote>
    </Notice>
  )
}
