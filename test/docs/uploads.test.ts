import { expect, test } from 'vitest'

import { errorTable } from '../../src/contract/errors.ts'
import { urlLifetimeMs } from '../../src/storage/settings.ts'
import { openPage } from './pages.ts'

const page = openPage('docs/uploads.md')

test('the statuses that the page names are those of the errors', () => {
  const section = page.section('The answer')
  const codes = ['url_expired', 'not_found', 'already_exists', 'request_too_large'] as const
  for (const code of [
    ...codes,
    'unsupported_media_type',
    'storage_full',
    'misconfigured',
  ] as const) {
    expect(section).toContain(`| ${errorTable[code].status} |`)
  }
  expect(section).toContain(`${urlLifetimeMs / 60_000} minutes`)
})
