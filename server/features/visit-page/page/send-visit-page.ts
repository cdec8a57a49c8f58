import type { FastifyReply } from 'fastify'
import { asServer } from '#server/platform/database/identities.ts'
import { sendInFrame } from '#server/platform/http/pages/page-frame.ts'
import type { VisitPageContext } from '../open-visit-page.ts'
import { readRepairStatus, type RepairStatus } from '../read-repair-status.ts'
import { type VisitPage, renderVisitPage } from './visit-page.ts'

/** Reads the repair of a booking, which every response of its page includes. */
export function readWorkOf(serving: VisitPageContext, bookingId: string): Promise<RepairStatus> {
  return serving.database.transaction(asServer, (query) => readRepairStatus(query, bookingId))
}

/** Sends the visit page; an estimate on it uses the frame of the estimate page. */
export function sendVisitPage(serving: VisitPageContext, reply: FastifyReply, page: VisitPage) {
  const { sentRevision } = page.work
  const frame =
    sentRevision && sentRevision.authorizations.length > 0 ? serving.estimateFrame : serving.frame
  return sendInFrame(reply, frame(), renderVisitPage(page))
}
