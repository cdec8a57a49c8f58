import { expect, it } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }
import { packagesOf } from './deno.ts'

it.each(['send-confirmation-email', 'send-quote-email'])(
  '%s asks for the packages that the site is tested with',
  (name) => {
    const asked = packagesOf(name)
    expect(Object.keys(asked)).toEqual(['zod', '@supabase/supabase-js'])
    expect(packageFile.dependencies).toMatchObject(asked)
  },
)
