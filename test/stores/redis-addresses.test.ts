import { expect, test } from 'vitest'

import { clientOf, end } from '../../src/stores/redis/connect.ts'
import { parseRedisUrl } from '../../src/stores/redis/url.ts'

test('one process opens several servers, with and without TLS', () => {
  const urls = ['redis://127.0.0.1:6390', 'rediss://127.0.0.1:6391', 'redis+sentinel://a:1/name']
  for (const url of [...urls, ...urls]) {
    const address = parseRedisUrl(url)
    expect(address).toBeDefined()
    end(clientOf(address!))
  }
})
