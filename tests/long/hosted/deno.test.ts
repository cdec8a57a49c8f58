import { expect, it } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { packagesOf } from './deno.ts'

it.each(['send-confirmation-email', 'send-quote-email'])(
  'the server function %s imports the same package versions as the site',
  (name) => {
    const packages = packagesOf(name)
    expect(Object.keys(packages)).toEqual(['zod', '@supabase/supabase-js'])
    expect(packageFile.dependencies).toMatchObject(packages)
  },
)
