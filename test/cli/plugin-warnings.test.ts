import { expect, test, vi } from 'vitest'

import { addressesOf, withoutAdmin } from './dragoman.ts'
import { placeWith } from './plugin-modules.ts'

vi.setConfig({ testTimeout: 60_000 })

const plugins = [
  {
    use: 'dragoman/plugins/ip-lists',
    options: {
      allow: [],
      keys: { team: ['10.0.0.0/8'], taem: ['10.0.0.0/8'], 'jwt:ada': ['10.0.0.0/8'] },
    },
  },
  { use: 'dragoman/plugins/cors', options: { origins: ['*'] } },
]

const expected = [
  'plugins[0]: allow is an empty list, so every client is refused',
  'plugins[0]: keys: no API key has the id "taem"',
  'plugins[1]: pages cannot read the refusals of ip-lists: list cors before it',
]

test('`check` and the start warn of lists that refuse everybody or hold for no key, and of their order', async () => {
  await using place = await placeWith(plugins)
  const { code, stderr } = await place.call('check')
  expect(code).toBe(0)
  expect([...stderr.matchAll(/^Warning: (plugins.*)\.$/gm)].map(([, text]) => text)).toEqual(
    expected,
  )
  const server = place.start(withoutAdmin)
  await addressesOf(server)
  for (const text of expected)
    expect(server.output.stderr).toContain(JSON.stringify(text).slice(1, -1))
})
