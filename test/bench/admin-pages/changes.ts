/** Changes of accounts, and what follows them: the next page is the first of other accounts. */

import { setTimeout as delay } from 'node:timers/promises'

import { accountCount, accountId } from './accounts.ts'
import type { MeasuredGateway } from './gateway.ts'
import { accountLists } from './lists.ts'
import type { Stalls } from './meter.ts'
import { type Measured, measure } from './pages.ts'
import type { Row } from './report.ts'

/** How often an account is changed. */
const changes = 10

/** Heartbeats, polls and sweeps happen within this time, in milliseconds. */
const backgroundMs = 7_000

/** A process writes a heartbeat within this time, in milliseconds. */
const heartbeatMs = 2_200

/** Lists that are made of all accounts. */
const firstRead = ['accounts', 'accounts of a state', 'account', 'models', 'configuration']

/** Measures pages of accounts directly after an operator has disabled or enabled one. */
export async function measureAfterChange(gateway: MeasuredGateway): Promise<Measured> {
  const list = accountLists[0]!
  const { times, stalls } = await measure(gateway, async (page) => {
    for (let index = 0; index < changes; index++) {
      await change(gateway, index)
      await page(list)
    }
  })
  return { first: times, ...stalls }
}

async function change(gateway: MeasuredGateway, index: number): Promise<void> {
  const id = accountId(accountCount - 1)
  const query =
    index % 2 === 0
      ? `mutation { act: disableAccount(input: {id: "${id}", reason: "A change."}) { __typename } }`
      : `mutation { act: enableAccount(input: {id: "${id}"}) { __typename } }`
  const { data } = await gateway.graph<{ act: { __typename: string } }>(query)
  if (!data.act.__typename.endsWith('Success')) throw new Error(JSON.stringify(data))
}

/**
 * Measures the first page of each list after a reload of the configuration, and the heartbeat that follows.
 * The reload itself is no page: it checks and compiles the accounts in turns, before the meter starts.
 */
export async function measureAfterReload(gateway: MeasuredGateway): Promise<Row[]> {
  const rows: Row[] = []
  for (const list of accountLists.filter(({ name }) => firstRead.includes(name))) {
    await gateway.reload()
    const { times, stalls } = await measure(gateway, async (page) => {
      await page(list)
      await delay(heartbeatMs)
    })
    rows.push({ name: `${list.name}, after a reload`, first: times, ...stalls })
  }
  return rows
}

/** Measures the turns of the event loop without requests. */
export async function measureBackground(gateway: MeasuredGateway): Promise<Stalls> {
  const { stalls } = await measure(gateway, () => delay(backgroundMs))
  return stalls
}
