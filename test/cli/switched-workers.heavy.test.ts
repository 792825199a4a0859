import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin } from './dragoman.ts'
import { accountAsked, ask, logOf, openSwitchedPlace } from './switched.ts'

test('an account is switched for all workers, and a chain of its is told so by each', async () => {
  await using opened = await openSwitchedPlace()
  const { place } = opened
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  const first = (await (await ask(clients)).json()) as { id: string }
  /** Of many calls, so that each worker gets some. */
  const everywhere = async (answer: () => Promise<string>) =>
    [...new Set(await Promise.all(Array.from({ length: 16 }, answer)))].join()
  const continued = async () => {
    const reply = await ask(clients, { previous_response_id: first.id })
    const { error } = (await reply.json()) as { error?: { code: string } }
    return `${reply.status} ${error?.code}`
  }
  expect(await everywhere(() => accountAsked(clients))).toBe('a')

  await place.call('accounts disable a')
  await until(() => workersThatSwitched(logOf(server)).size === 2, 2_000)
  expect(await everywhere(() => accountAsked(clients))).toBe('b')
  expect(await everywhere(continued)).toBe('503 previous_response_account_unavailable')

  await place.call('accounts enable a')
  await until(async () => (await everywhere(continued)) === '200 undefined', 2_000)
})

function workersThatSwitched(lines: ReturnType<typeof logOf>): Set<unknown> {
  const switched = lines.filter(({ msg }) => msg === 'accounts enabled/disabled')
  return new Set(switched.map(({ worker }) => worker))
}
