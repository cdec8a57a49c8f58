import { sendRequest, type VisitorClient } from './visitor-client.ts'

/** The admin account of the shops that long tests start. */
export const longTestAdmin = {
  ADMIN_USERNAME: 'admin',
  ADMIN_PASSWORD: 'correct horse battery',
} as const

export type StaffClient = {
  /** The Cookie header of requests to `/api`. */
  readonly cookie: string
  /** The Authorization header of requests to `/rest/v1`. */
  readonly authorization: string
}

/** Signs the admin in. */
export async function signIn(client: VisitorClient): Promise<StaffClient> {
  const response = await sendRequest(client, 'POST', '/api/admin/login', {
    username: longTestAdmin.ADMIN_USERNAME,
    password: longTestAdmin.ADMIN_PASSWORD,
  })
  const body = (await response.json()) as { session?: { access_token: string } }
  const token = body.session?.access_token
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  if (!response.ok || !token) throw new Error(`The admin could not sign in: ${response.status}`)
  return { cookie, authorization: `Bearer ${token}` }
}

/** Reads every row at the path `path` of the REST API, page by page. */
export async function readAll<Row>(
  client: VisitorClient,
  staff: StaffClient,
  path: string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = `${path}${path.includes('?') ? '&' : '?'}limit=1000&offset=${rows.length}`
    const response = await sendRequest(client, 'GET', `/rest/v1/${page}`, undefined, {
      authorization: staff.authorization,
    })
    const read = (await response.json()) as Row[]
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(read)}`)
    rows.push(...read)
    if (read.length < 1000) return rows
  }
}

/** Cancels every appointment, so that its time can be booked again. */
export async function freeAllTimes(client: VisitorClient, staff: StaffClient): Promise<void> {
  const { authorization } = staff
  const path = '/rest/v1/bookings?status=eq.confirmed'
  const freed = await sendRequest(client, 'PATCH', path, { status: 'cancelled' }, { authorization })
  if (freed.status !== 204) throw new Error(`The times were not freed: ${freed.status}`)
}
