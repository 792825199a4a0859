import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin, openPlace } from './dragoman.ts'

const secret = 'secret-of-this-test'

test('the workers of a gateway count together', async () => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.mjs',
    `import { GatewayError } from 'dragoman'
    let counters
    export default {
      store: 'file:store',
      keys: [{ id: 'team', secret: '${secret}' }],
      accounts: [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }],
      plugins: [{
        name: 'quota',
        onStart(input) { counters = input.counters },
        async onExchange({ exchange, next }) {
          if (exchange.request.path === '/v1/models') {
            const total = await counters.add('calls', 1, { ttlMs: 600_000 })
            if (total > 10) throw new GatewayError('quota_exceeded', 'No calls are left.')
          }
          const reply = await next()
          return { ...reply, headers: { ...reply.headers, 'x-process': String(process.pid) } }
        },
      }],
    }`,
  )
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  /** Asks on a connection of its own: the workers take turns. */
  const ask = async (path: string) => {
    const response = await fetch(`${clients}${path}`, {
      headers: { authorization: `Bearer ${secret}`, connection: 'close' },
    })
    await response.body?.cancel()
    return { status: response.status, worker: response.headers.get('x-process') }
  }
  const seen = new Set<string | null>()
  await until(async () => seen.add((await ask('/livez')).worker).size === 2)
  const answers = []
  for (let count = 0; count < 25; count++) answers.push(await ask('/v1/models'))
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toEqual(statuses.map((_, index) => (index < 10 ? 200 : 429)))
  const answered = answers.filter(({ status }) => status === 200)
  expect(new Set(answered.map(({ worker }) => worker))).toEqual(seen)
}, 90_000)
