import { Link } from '@tanstack/react-router'
import { useOpenWork } from './use-open-work.ts'
import './today-link.css'

const attentionId = 'needs-attention'

/** The link to the Today page, with a dot while an item needs attention. */
export function TodayLink() {
  const needsAttention = useOpenWork().data?.needs_attention === true
  return (
    <>
      <h1>
        <Link
          className="start-link"
          to="/today"
          aria-describedby={needsAttention ? attentionId : undefined}
        >
          Admin Dashboard
          {needsAttention && <i aria-hidden="true" />}
        </Link>
      </h1>
      {needsAttention && (
        <span className="visually-hidden" id={attentionId}>
          Needs attention
        </span>
      )}
    </>
  )
}
