import type { FastifyReply } from 'fastify'
import { asServer } from '#server/platform/database/identities.ts'
import { sendInFrame } from '#server/platform/http/pages/page-frame.ts'
import type { VisitPageContext } from '../open-visit-page.ts'
import { readRepairStatus, type RepairStatus } from '../read-repair-status.ts'
import { type VisitPage, renderVisitPage } from './visit-page.ts'

/** What is done on the vehicle of an appointment: each answer of its page is written with it. */
export function readWorkOf(serving: VisitPageContext, bookingId: string): Promise<RepairStatus> {
  return serving.database.transaction(asServer, (query) => readRepairStatus(query, bookingId))
}

/** Sends the page of an appointment; what was approved is shown as on the page of the estimate. */
export function sendVisitPage(serving: VisitPageContext, reply: FastifyReply, page: VisitPage) {
  const { sentRevision } = page.work
  const frame =
    sentRevision && sentRevision.authorizations.length > 0 ? serving.estimateFrame : serving.frame
  return sendInFrame(reply, frame(), renderVisitPage(page))
}
