import { expect, it } from 'vitest'
import { serverEnvironment } from './launch.ts'

it('the server process does not inherit the keys of the backup bucket, nor the settings of the user’s shell', () => {
  const given = {
    PATH: '/bin',
    PGDATA: '/other',
    TZ: 'Asia/Tokyo',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    BACKUP_URL: 's3://bucket',
  }
  expect(serverEnvironment(given)).toEqual({ PATH: '/bin' })
})
