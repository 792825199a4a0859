import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { createInlineRemote } from '../../src/remote/inline.ts'

test.each([
  ['maxBytes', 0],
  ['maxTotalBytes', -1],
  ['maxFiles', 0.5],
  ['timeoutMs', 0],
  ['timeoutMs', 2 ** 31],
  ['totalTimeoutMs', Number.POSITIVE_INFINITY],
  ['maxRedirects', -1],
  ['concurrencyOfRequest', 0],
  ['concurrency', Number.NaN],
])('an operator is told that %s cannot be %d', (name, value) => {
  const options = { [name]: value }

  expect(() => createRemoteFetch(options)).toThrow(`\`${name}\` must be a whole number from`)
  expect(() => createInlineRemote(options)).toThrow(TypeError)
})

test.each(['*/*', 'png', 'Image/PNG', 'image/', 'image/png; q=1', 'image/png\r\nx: y', ''])(
  'an operator is told that `%s` is not a content type',
  (type) => {
    const options = { mediaTypes: { image: [type] } }

    expect(() => createInlineRemote(options)).toThrow(`\`${type}\` is not a content type`)
  },
)
