import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { pngOf, serving } from './files.ts'
import { startMediaHost } from './media-host.ts'
import { refusalOf } from './refusal.ts'

test('a gateway of no files fetches none, whoever asks for a single one', async () => {
  await using host = await startMediaHost(serving(pngOf(1_000)))
  const options = { allowHttp: true, allow: [host.address] }
  const fetch = createRemoteFetch({ ...options, maxFiles: 0 })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400 })
  expect(refusal.message).toContain('this gateway fetches no files')
  expect(host.connections()).toBe(0)
  expect((await createRemoteFetch({ ...options, maxFiles: 1 })(host.url)).bytes).toHaveLength(1_000)
})
