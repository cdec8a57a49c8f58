import { requestData } from '#web/lib/data/request-data.ts'

/**
 * Takes an appointment to another state, from the version that was seen; returns the version it has then. The history
 * keeps the reason.
 */
export async function changeBookingState(
  { id, version }: { readonly id: string; readonly version: number },
  state: string,
  reason?: string,
): Promise<number> {
  const { data } = await requestData((service) =>
    service.rpc('change_booking_state', {
      booking_id: id,
      new_state: state,
      seen_version: version,
      ...(reason ? { reason } : {}),
    }),
  )
  return data.version
}
