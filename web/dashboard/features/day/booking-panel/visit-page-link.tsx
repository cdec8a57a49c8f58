import { requestData } from '#web/lib/data/request-data.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { PrivateLink } from '#web/dashboard/kit/controls/private-link.tsx'

/** The buttons that copy or renew the private link to the visit page of a booking. */
export function VisitPageLink({ bookingId, isOffline }: { bookingId: string; isOffline: boolean }) {
  return (
    <section className="panel-part">
      <h3>
        <Icon name="lock" />
        Customer’s link
      </h3>
      <PrivateLink
        readPath={(renew) => readVisitLink(bookingId, renew)}
        question="Links sent earlier stop working, also those to the estimate. The new link is copied."
        copiedText="Link copied. Anyone with this link can move or cancel the appointment."
        isOffline={isOffline}
      />
    </section>
  )
}

async function readVisitLink(bookingId: string, renew: boolean): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('read_visit_page_link', { booking_id: bookingId, renew }),
  )
  return data
}
