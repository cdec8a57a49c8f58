import { recordAuthorizationCommand as endpoint } from '#contracts/estimates/estimate-actions.ts'
import type { SavedEstimate } from '#contracts/estimates/estimates.ts'
import { accepted } from '#domain/result.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { batchOf, notifyApproval, type NotifyContext } from './notify-decision.ts'
import { readSentRevision } from './read-sent-revision.ts'

/**
 * Records decisions about an estimate that a customer made outside the estimate page, for example by phone, and queues
 * the email about the approval.
 */
export const recordAuthorizationCommand = (context: NotifyContext) =>
  defineCommand(endpoint, {
    async asStaff(query, input) {
      const [row] = rowsAs<{ saved: SavedEstimate }>(
        await query(
          'select public.record_authorization($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as saved',
          [
            input.estimateId,
            input.seenVersion,
            JSON.stringify(input.decisions),
            input.method,
            input.decidedByName,
            input.relationship,
            input.contact,
            input.statement,
            input.decidedAt,
            input.wantsPartsBack,
          ],
        ),
      )
      if (!row) throw new Error('public.record_authorization returned no row')
      return accepted(row.saved)
    },
    async asServer(query, { estimateId }, saved) {
      const sentRevision = await readSentRevision(query, estimateId)
      const batch =
        sentRevision && batchOf(sentRevision, sentRevision.authorizations.at(-1)?.batchId)
      const emailId = batch ? await notifyApproval(context, query, sentRevision, batch) : null
      return accepted({ saved, emailId })
    },
  })
